internal import CLinux
internal import DoseTapDomain

/// Confines this program to its standard descriptors, before it reads a byte (R28).
package enum Confinement {
    /// Returns the limits on memory, time and descriptors.
    private static func limits(descriptors: Int32 = 3) -> confinement_limits {
        confinement_limits(memory: 256 << 20, seconds: 900, descriptors: descriptors)
    }
    /// The parts of the confinement, and the fault in words for each part that is missing.
    private static let parts: KeyValuePairs<UInt32, String> = [
        UInt32(CONFINED_DESCRIPTORS): sent("other descriptors could not be closed"),
        UInt32(CONFINED_LIMITS): sent("limits of memory and time could not be set"),
        UInt32(CONFINED_NO_PRIVILEGES): sent("it cannot give up privileges (no_new_privs)"),
        UInt32(CONFINED_LANDLOCK): sent("the kernel has no Landlock"),
        UInt32(CONFINED_SYSCALLS): sent("the kernel filters no system calls (seccomp)"),
    ]

    /// Confines the program.
    ///
    /// - Parameter descriptors: the number of descriptors that stay open, from 0 on.
    /// - Returns: a sentence for each part that the machine lacks.
    package static func begin(descriptors: Int32 = 3) -> [String] {
        let wanted = parts.reduce(0) { $0 | $1.key }
        let held = clinux_confine(wanted, limits(descriptors: descriptors))
        return parts.filter { held & $0.key == 0 }.map { sent("Confinement: \($0.value). The other parts hold.") }
    }

    /// Confines the program, or its files alone, and tries calls that must fail then.
    ///
    /// - Parameter onlyFiles: Landlock alone, without the filter of system calls that would refuse the same calls first.
    /// - Returns: a line for each trial, and true if every call failed.
    static func trial(onlyFiles: Bool) -> (lines: [String], isHeld: Bool) {
        var lines: [String] = []
        if onlyFiles {
            let files = UInt32(CONFINED_NO_PRIVILEGES | CONFINED_LANDLOCK)
            guard clinux_confine(files, limits()) == files else { return (["Landlock: missing"], false) }
        } else {
            lines = begin()
        }
        var isHeld = lines.isEmpty
        for number in 0..<(onlyFiles ? 3 : Int32(CONFINEMENT_TRIALS)) {
            var name: UnsafePointer<CChar>?
            let failure = clinux_confinement_try(number, &name)
            let what = name.map { String(cString: $0) } ?? ""
            lines.append("\(what): \(failure == 0 ? "possible" : ErrorNumber.sentence(failure))")
            isHeld = isHeld && failure != 0
        }
        return (lines, isHeld)
    }
}
