internal import DoseTapDomain

/// What `doctor` prints, and the one line of it that follows dose 1.
enum DoctorText {
    static func lines(_ findings: [Finding], _ columns: Int) -> [String] {
        let table = Table(columns: [
            .init(heading: "Link", cells: findings.map { SafeText.line($0.id) }),
            .init(heading: "State", cells: findings.map(\.level.rawValue)),
            .init(heading: "Found", cells: findings.map { SafeText.line($0.sentence) }),
            .init(heading: "Remedy", cells: findings.map { SafeText.line($0.remedy) }),
        ]).lines(width: columns)
        return table + [verdict(findings)]
    }

    private static func verdict(_ findings: [Finding]) -> String {
        switch findings.worst?.level {
        case .red: "Something is broken: a reminder may not reach you."
        case .amber: "Reminders will get through, unless what is amber gets in the way."
        default: "Reminders will get through, as far as can be known."
        }
    }

    /// What is worth saying before the person goes to sleep; nil when nothing is.
    static func line(_ finding: Finding) -> String? {
        guard finding.level >= .amber else { return nil }
        let remedy = finding.remedy.isEmpty ? "" : " (\(SafeText.line(finding.remedy)))"
        return "before you sleep: \(SafeText.line(finding.sentence))\(remedy). All of it: dosetap doctor"
    }
}
