import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

/// Tests with the real service, the real players and a real sound server, whose output is recorded and judged.
@Suite(
    .serialized,
    .enabled(if: Testbed.isActive && RealSound.isInstalled, "needs a test bed with a sound server: run Contrib/test"))
struct SoundTests {
    /// The notes of the tone, in Hz.
    private static let notes = [880.0, 1_174.66]

    /// A service that finds the named programs only.
    private static func start(
        _ sound: RealSound, programs: [String], _ folder: ScratchFolder, chosen: String = ""
    ) async throws -> ServiceBench {
        try FileManager.default.createDirectory(atPath: folder.path("bin"), withIntermediateDirectories: true)
        for program in programs {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("bin/" + program), withDestinationPath: "/usr/bin/" + program)
        }
        return try await ServiceBench.start(
            environment: sound.environment.merging(["PATH": folder.path("bin"), "DOSETAP_LADDER_PLAYER": chosen]) { $1 }
        )
    }

    private static func test(_ channel: String, _ bench: ServiceBench) throws -> TestProgram.Outcome {
        try bench.busctl(
            "call", Contract.name, "/org/dosetap/DoseTap1", Contract.InterfaceName.reminders, "Test", "sa{sv}", channel,
            "0")
    }

    @Test func `an alarm is heard, louder each time, and is silent once dose 2 is logged`() async throws {
        let (sound, folder) = try (RealSound(), ScratchFolder())
        // The first player finds no server of its own. The ring must not be lost by that.
        let bench = try await Self.start(
            sound, programs: ["pw-play", "paplay"].filter(RealSound.isHere), folder)
        try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now + .seconds(1) - .minutes(165) }
        var begin: Double?
        while begin == nil { begin = try sound.listen(0.5).sounding.first }
        let first = try #require(begin)
        // The second ring begins eight seconds after the first and lasts six seconds.
        try sound.listen(first + 10.5 - sound.seconds)
        try await bench.submit(.logDose(.dose2))
        let answered = sound.seconds
        let heard = try sound.listen(2.5)
        // The rings have a pause between them.
        let rings = heard.stretches
        #expect(rings.count >= 2, "\(rings)")
        let (one, two) = (try #require(rings.first), try #require(rings.last))
        #expect(heard.loudness(one) > 0.07 && heard.loudness(one) < 0.12, "\(heard.loudness(one))")
        #expect(heard.loudness(two) > heard.loudness(one) * 1.4, "\(heard.loudness(one)), \(heard.loudness(two))")
        #expect(heard.share(of: Self.notes, in: one) > 0.8, "\(heard.share(of: Self.notes, in: one))")
        let last = two.upperBound
        #expect(last < answered + 1 && last > answered - 1, "\(last - answered) s after dose 2")
        #expect(try await bench.stop() == 0)
        try sound.stop()
    }

    @Test(arguments: RealSound.players)
    func `each player plays the tone when it is tried`(player: String) async throws {
        let (sound, folder) = try (RealSound(), ScratchFolder())
        let bench = try await Self.start(sound, programs: [player], folder)
        let outcome = try Self.test("sound", bench)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let heard = try sound.listen(0.5)
        let first = try #require(heard.sounding.first)
        #expect(heard.share(of: Self.notes, in: first...first + 5.9) > 0.8)
        try await bench.stop()
        try sound.stop()
    }

    @Test(arguments: ["gone", "fails"])
    func `a chosen player that is gone or fails leaves the tone to the others`(chosen: String) async throws {
        let (sound, folder) = try (RealSound(), ScratchFolder())
        let bench = try await Self.start(sound, programs: ["paplay"], folder, chosen: chosen)
        if chosen == "fails" {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("bin/fails"), withDestinationPath: "/usr/bin/false")
        }
        #expect(try Self.test("sound", bench).status == 0)
        #expect(try sound.listen(0.5).sounding.first != nil)
        let audio = try await bench.client.doctor().map { try Finding(json: $0) }.first { $0.id == "audio" }
        #expect(audio?.level == (chosen == "gone" ? .amber : .green), "\(String(describing: audio))")
        try await bench.stop()
        try sound.stop()
    }

    @Test(.enabled(if: RealSound.isHere("espeak-ng"), "needs espeak-ng: run Contrib/test"))
    func `a sentence is spoken, and what nobody could hear has not worked`() async throws {
        let (sound, folder) = try (RealSound(), ScratchFolder())
        let bench = try await Self.start(sound, programs: ["espeak-ng"], folder)
        let outcome = try Self.test("speech", bench)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let heard = try sound.listen(0.5)
        #expect(heard.sounding.count > 20, "a second of words")
        #expect(heard.share(of: Self.notes, in: 0...heard.seconds) < 0.5)
        try sound.stop()
        let silent = try Self.test("speech", bench)
        #expect(silent.status != 0 && silent.errors.contains("espeak-ng"), "\(silent.errors)")
        try await bench.stop()
    }

    @Test func `the doctor knows how loud it is, and when nobody can tell`() async throws {
        let (sound, folder) = try (RealSound(), ScratchFolder())
        let bench = try await Self.start(
            sound, programs: ["wpctl", "pactl", "paplay"].filter(RealSound.isHere), folder)
        func volume(_ audio: String = "paplay plays sounds") async throws -> Finding? {
            let findings = try await bench.client.doctor().map { try Finding(json: $0) }
            #expect(findings.first { $0.id == "audio" }?.sentence == audio)
            return findings.first { $0.id == "volume" }
        }
        #expect(try await volume() == Finding(id: "volume", level: .green, sentence: "the volume is 100 %"))
        try sound.control("set-sink-volume", "@DEFAULT_SINK@", "10%")
        #expect(
            try await volume()
                == Finding(id: "volume", level: .amber, sentence: "the volume is 10 %", remedy: .raiseVolume))
        try sound.control("set-sink-mute", "@DEFAULT_SINK@", "1")
        #expect(
            try await volume()
                == Finding(id: "volume", level: .red, sentence: "the sound is muted", remedy: .unmute))
        try sound.stop()
        let none = try await volume("no sound server answers")
        #expect(none?.level == .unknown && none?.sentence == "cannot be asked: pactl reaches no sound server")
        try await bench.stop()
    }

    @Test(.enabled(if: RealSound.isHere("aplay"), "needs alsa-utils: run Contrib/test"))
    func `aplay without a sound server needs a card, and that there is none is told before the night`() async throws {
        let (sound, folder) = try (RealSound(), ScratchFolder())
        try sound.stop()
        let bench = try await Self.start(sound, programs: ["aplay"], folder)
        let hasCard = try TestProgram.run(["aplay", "-l"]).text.contains("card ")
        let audio = try await bench.client.doctor().map { try Finding(json: $0) }.first { $0.id == "audio" }
        let missing = Finding(
            id: "audio", level: .red, sentence: "aplay finds no sound card that you may use", remedy: .allowSoundCard)
        #expect(audio == (hasCard ? Finding(id: "audio", level: .green, sentence: "aplay plays sounds") : missing))
        // A test ring that failed does not change the remedy.
        if !hasCard {
            #expect(try Self.test("sound", bench).status != 0)
            let after = try await bench.client.doctor().map { try Finding(json: $0) }.first { $0.id == "audio" }
            #expect(after?.remedy == .allowSoundCard, "\(String(describing: after))")
        }
        try await bench.stop()
    }
}
