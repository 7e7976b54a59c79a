/// Replaces texts that identify a person or a machine in all texts that remain: e-mail addresses, UUIDs, network addresses (R28).
package enum TextScrubber {
    package static func scrub(_ text: String, _ identity: Identity) -> String {
        var result = ""
        var word = ""
        func scrubbed() -> String {
            // A full stop or a colon at the end belongs to the sentence.
            let bare = String(word.reversed().drop { $0 == "." || $0 == ":" || $0 == "-" }.reversed())
            guard let replacement = replacement(bare, identity) else { return word }
            return replacement + word.dropFirst(bare.count)
        }
        for character in text {
            if isPart(character) {
                word.append(character)
            } else {
                result += scrubbed()
                result.append(character)
                word = ""
            }
        }
        return result + scrubbed()
    }

    private static func isPart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "@._%+-:".contains(character)
    }

    private static func replacement(_ word: String, _ identity: Identity) -> String? {
        guard word.utf8.count >= 3 else { return nil }
        if Identity.isUUID(word) { return "HASH_" + identity.hashed(word).filter { $0 != "-" }.prefix(12) }
        if let at = word.firstIndex(of: "@"), at != word.startIndex, word[at...].contains(".") {
            return "EMAIL_REDACTED"
        }
        return isIPv4(word) || isIPv6(word) ? "IP_REDACTED" : nil
    }

    private static func isIPv4(_ word: String) -> Bool {
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { $0.utf8.count <= 3 && UInt8($0) != nil }
    }

    /// Returns true for eight groups, or fewer with `::`.
    private static func isIPv6(_ word: String) -> Bool {
        let groups = word.split(separator: ":", omittingEmptySubsequences: false)
        guard (3...9).contains(groups.count), groups.count == 8 || word.contains("::") else { return false }
        return groups.allSatisfy { group in
            group.isEmpty || group.utf8.count <= 4 && UInt16(group, radix: 16) != nil || isIPv4(String(group))
        }
    }
}
