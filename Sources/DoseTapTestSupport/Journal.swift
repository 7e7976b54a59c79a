import Foundation

/// Reads the test bed's real journal through `journalctl`.
public enum Journal {
    /// One stored entry.
    public struct Stored: Sendable {
        /// Every field with its values as bytes; journald keeps repeated fields.
        public let fields: [String: [[UInt8]]]

        /// The first value of a field as text.
        public subscript(name: String) -> String? {
            fields[name]?.first.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The entries that match all fields, oldest first. journald is first asked to write everything it has received
    /// (`journalctl --sync` returns once it has), so nothing sent before this call is missed and there is no waiting.
    ///
    /// - Parameters:
    ///   - fields: Field names and the value each must have.
    ///   - namespace: A journal namespace, see ``JournalNamespace``; nil for the test bed's own journal.
    public static func entries(matching fields: [String: String], namespace: String? = nil) throws -> [Stored] {
        let scope = namespace.map { ["--namespace=\($0)"] } ?? []
        try Command.check(["timeout", "20", "journalctl", "--sync"] + scope)
        let matches = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let listing = try Command.check(
            ["timeout", "20", "journalctl", "--no-pager", "--quiet", "--all", "--output=json"] + scope + matches)
        return try listing.output.split(separator: UInt8(ascii: "\n")).map(stored)
    }

    private static func stored(_ line: Data) throws -> Stored {
        guard let object = try JSONSerialization.jsonObject(with: line) as? [String: Any] else {
            throw CommandError(description: "journalctl printed no object")
        }
        return Stored(fields: object.mapValues(values))
    }

    /// journalctl's JSON: a string, an array of byte values, or an array of such for a repeated field.
    private static func values(_ value: Any) -> [[UInt8]] {
        if let text = value as? String { return [Array(text.utf8)] }
        if let bytes = value as? [Int] { return [bytes.map { UInt8(truncatingIfNeeded: $0) }] }
        if let several = value as? [Any] { return several.flatMap(values) }
        return []
    }
}
