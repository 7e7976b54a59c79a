import DoseTapDomain
import Testing

struct ClockTimeTests {
    @Test(arguments: [("00:00", 0, 0), ("18:00", 18, 0), ("23:59", 23, 59), ("07:05", 7, 5)])
    func `clock times are read and written`(text: String, hour: Int, minute: Int) throws {
        let time = try ClockTime(text: text)
        #expect(time == ClockTime(hour: hour, minute: minute))
        #expect(time.description == text)
    }

    @Test(arguments: ["7:05", "07:5", "0705", "07:05:00", " 07:05", "07.05", "٠٧:٠٥", "07:05pm"])
    func `other forms of a clock time are refused`(text: String) {
        #expect(throws: TimeParseError.malformed(text)) { try ClockTime(text: text) }
    }

    @Test(arguments: ["24:00", "12:60", "99:99"])
    func `times no clock shows are refused`(text: String) {
        #expect(throws: TimeParseError.noSuchClockTime(text)) { try ClockTime(text: text) }
        #expect(ClockTime(hour: 24, minute: 0) == nil)
        #expect(ClockTime(hour: 0, minute: -1) == nil)
    }

    @Test func `times are counted on the circle of a day`() {
        let (evening, morning) = (ClockTime(hour: 22), ClockTime(hour: 7))
        #expect(evening.minutes(until: morning) == 540 && morning.minutes(until: evening) == 900)
        #expect(morning.minutes(until: morning) == 0)
        #expect(morning.adding(hours: -9) == evening && evening.adding(hours: 9) == morning)
    }

    @Test(
        arguments: [
            ("06:30", "07:00", true), ("07:00", "07:00", true), ("01:01", "07:00", true), ("23:30", "05:00", true),
            ("01:00", "07:00", false), ("18:30", "07:00", false), ("22:00", "16:00", false), ("07:30", "07:00", false),
        ])
    func `R2.7 a preparation less than six hours before the wake time was meant otherwise`(
        prep: String, wake: String, isTooShort: Bool
    ) throws {
        let (start, end) = (try ClockTime(text: prep), try ClockTime(text: wake))
        #expect(NightRules.isTooShort(from: start, to: end) == isTooShort)
    }

    @Test func `hours outside the day are held within it`() {
        #expect(ClockTime(hour: -1).description == "00:00")
        #expect(ClockTime(hour: 24).description == "23:00")
    }
}
