internal import DoseTapDomain
internal import DoseTapStore
internal import DoseTapSystem
internal import DoseTapText

/// Signs the packets that a person hands on. The key is made for the first packet, and kept as the key of an encrypted record
/// is. The service signs, not the command: only this process gets the key from its place.
struct PacketSigner: Sendable {
    /// Keeper of the signing keys. Its connections are opened when they are needed.
    let keys: KeyKeeper
    /// The file with the public part of every key so far, a line each, the present one last.
    let record: String
    /// The thread on which ``record`` is read and written.
    let thread: any FileThread
    let now: @Sendable () -> ClockReading

    /// Limit of ``record``, in bytes.
    private static let mostRecord = 65_536

    /// A present or former key.
    private struct Line {
        let id: StoreKeyID
        let place: KeyPlace
        let since: Instant
        let publicText: String

        var text: String { "\(id) \(place.rawValue) \(since.iso8601) \(publicText)\n" }
        var fingerprint: String { SSHSigningKey.fingerprint(Base64.bytes(publicText) ?? []) }

        init(id: StoreKeyID, place: KeyPlace, since: Instant, publicText: String) {
            (self.id, self.place, self.since, self.publicText) = (id, place, since, publicText)
        }

        /// Nil for a text that is not a line of this form.
        init?(_ text: Substring) {
            let words = text.split(separator: " ")
            guard words.count == 4, let id = StoreKeyID(words[0]), let place = KeyPlace(rawValue: String(words[1])),
                let since = try? Instant(iso8601: String(words[2])), Base64.bytes(words[3]) != nil
            else { return nil }
            self.init(id: id, place: place, since: since, publicText: String(words[3]))
        }
    }

    /// The file of the key in force has something else in it. Nobody but the person knows whether the key is elsewhere, and a new one
    /// would be another signer.
    struct DamagedKey: Error {
        /// The path of the file.
        let path: String

        var fault: StoreError {
            StoreError(
                code: .unavailable,
                context: sent(
                    "the file \(path) no longer has the key that signs packets; nothing was signed. If the key is nowhere else, remove the file: the next packet makes a new key, and whoever checks it sees another signer"
                ), underlying: path)
        }
    }

    /// Returns the key in force. A key is made if there is none yet, or if the former one is gone from its place.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` if the key cannot be had now, or cannot be kept; ``DamagedKey``.
    func signer() async throws -> SignerReport { try await used(makes: true) { line, _, report in report(line) } }

    /// Signs the list of a packet's files.
    ///
    /// - Parameters:
    ///   - sums: lines as sha256sum writes them, of at most ``SignerReport/mostFiles`` files.
    ///   - fingerprint: that of the key that the packet names; no other key signs it.
    /// - Returns: the signature as OpenSSH writes it.
    /// - Throws: ``DoseTapDomain/CommandFailure`` for a text that is no such list; ``DoseTapDomain/StoreError`` for another
    ///   key, or one that cannot be had now.
    func signature(of sums: String, by fingerprint: String) async throws -> String {
        guard SignerReport.isListOfSums(sums) else {
            throw CommandFailure.invalidInput(sent("only a list of SHA-256 sums and names of files is signed"))
        }
        return try await used(makes: false) { line, key, _ in
            guard line.fingerprint == fingerprint else {
                throw Self.refusal(sent("the packet names another key than the one in force"))
            }
            return try key.signature(of: Array(sums.utf8), namespace: SignerReport.namespace)
        }
    }

    private func used<Answer: Sendable>(
        makes: Bool, _ body: (Line, SSHSigningKey, (Line) -> SignerReport) throws -> Answer
    ) async throws -> Answer {
        do {
            let answer = try await found(makes: makes, body)
            await keys.close()
            return answer
        } catch {
            await keys.close()
            throw error
        }
    }

    /// - Parameter makes: true to make a key if there is none.
    private func found<Answer: Sendable>(
        makes: Bool, _ body: (Line, SSHSigningKey, (Line) -> SignerReport) throws -> Answer
    ) async throws -> Answer {
        var lines = try await known()
        var isNew = false
        let seed: StoreKey
        if let last = lines.last, let kept = try await kept(last) {
            seed = kept
        } else {
            guard makes else { throw Self.refusal(sent("there is no key that signs packets")) }
            let (key, place) = try await keys.newKey(besides: lines.last?.id)
            seed = key
            lines.append(
                Line(id: key.id, place: place, since: now().wall, publicText: try SSHSigningKey(seed: key).publicText))
            isNew = true
            let bytes = Array(lines.map(\.text).joined().utf8)
            do { try await thread.perform { [record] in try PrivateFile.write(bytes, to: record) } } catch {
                await keys.remove(key.id)
                throw StoreError(
                    code: .unavailable, context: "the key's name cannot be kept; nothing was signed",
                    underlying: "\(error)")
            }
        }
        guard let line = lines.last else { throw StoreError(code: .internal, context: "there is no key") }
        let previous = lines.dropLast().last
        return try body(line, try SSHSigningKey(seed: seed)) { line in
            SignerReport(
                fingerprint: line.fingerprint, publicKey: "ssh-ed25519 \(line.publicText)", place: line.place.rawValue,
                since: line.since, isNew: isNew, replaces: previous?.fingerprint)
        }
    }

    /// Returns the key of a line; nil for a lost key.
    ///
    /// - Throws: if the key exists but cannot be had now: another key would make the clinic doubt.
    private func kept(_ line: Line) async throws -> StoreKey? {
        do { return try await keys.kept(line.id) } catch {
            guard await keys.isLost(line.id, from: line.place) else {
                guard let fault = error as? StoreError else { throw error }
                if let path = await damagedFile(of: line) { throw DamagedKey(path: path) }
                throw StoreError(
                    code: .unavailable,
                    context: sent("the key that signs packets cannot be had now") + ". "
                        + fault.context.replacingPrefix("the record is locked: ", by: "").capitalised,
                    underlying: fault.underlying)
            }
            return nil
        }
    }

    /// Returns the path of a key's file that has something else in it; nil if the key is kept elsewhere, and if the file cannot be
    /// read, which is another fault.
    private func damagedFile(of line: Line) async -> String? {
        guard line.place == .file else { return nil }
        let path = keys.name(of: .file, for: line.id)
        let content = try? await thread.perform { try PrivateFile.read(path, limit: Self.mostRecord) }
        guard let content, (try? StoreKey(content: content))?.id != line.id else { return nil }
        return path
    }

    /// Returns the keys so far.
    ///
    /// - Throws: if they cannot be read: a new beginning would forget a key.
    private func known() async throws -> [Line] {
        let bytes: [UInt8]?
        do {
            bytes = try await thread.perform { [record] in try PrivateFile.read(record, limit: Self.mostRecord) }
        } catch {
            throw StoreError(
                code: .unavailable, context: "the names of the signing keys cannot be read", underlying: "\(error)")
        }
        guard let bytes else {
            guard try await !keys.hasFiles() else {
                throw Self.refusal(sent("there is the file of a signing key, but not \(record), which names it"))
            }
            return []
        }
        return try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { text in
            guard let line = Line(text) else { throw Self.refusal(sent("a line of \(record) is damaged")) }
            return line
        }
    }

    private static func refusal(_ why: String) -> StoreError {
        StoreError(code: .unavailable, context: "\(why); nothing was signed")
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String, by other: String) -> String {
        hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
}
