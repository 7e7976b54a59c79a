internal import DoseTapDomain
internal import DoseTapStore
internal import DoseTapSystem

/// Signs the packets that are handed on, with a key that is made for the first of them and kept as that of an encrypted
/// record is. It signs here and not in the command: so the key leaves the place where it is kept only for this process.
struct PacketSigner: Sendable {
    /// Its connections are opened when they are needed.
    let keys: KeyKeeper
    /// The file that says which keys there were: what is public of them, a line each, the present one last.
    let record: String
    let now: @Sendable () -> ClockReading

    /// Most of that file, in bytes.
    private static let mostRecord = 65_536

    /// A key that there is or was.
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

        /// What is no such line was not written here, and says nothing.
        init?(_ text: Substring) {
            let words = text.split(separator: " ")
            guard words.count == 4, let id = StoreKeyID(words[0]), let place = KeyPlace(rawValue: String(words[1])),
                let since = try? Instant(iso8601: String(words[2])), Base64.bytes(words[3]) != nil
            else { return nil }
            self.init(id: id, place: place, since: since, publicText: String(words[3]))
        }
    }

    /// The key in force; made where there is none yet, or where the one there was is gone for good.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` where it cannot be had now, or cannot be kept.
    func signer() async throws -> SignerReport { try await used { line, _, report in report(line) } }

    /// Signs the list of a packet's files.
    ///
    /// - Parameter sums: lines as sha256sum writes them, of at most ``SignerReport/mostFiles`` files.
    /// - Returns: the signature as OpenSSH writes it.
    /// - Throws: ``DoseTapDomain/CommandFailure`` for anything else.
    func signature(of sums: String) async throws -> String {
        guard SignerReport.isListOfSums(sums) else {
            throw CommandFailure.invalidInput("only a list of SHA-256 sums and names of files is signed")
        }
        return try await used { _, key, _ in
            try key.signature(of: Array(sums.utf8), namespace: SignerReport.namespace)
        }
    }

    private func used<Answer: Sendable>(
        _ body: (Line, SSHSigningKey, (Line) -> SignerReport) throws -> Answer
    ) async throws -> Answer {
        do {
            let answer = try await found(body)
            await keys.close()
            return answer
        } catch {
            await keys.close()
            throw error
        }
    }

    private func found<Answer: Sendable>(
        _ body: (Line, SSHSigningKey, (Line) -> SignerReport) throws -> Answer
    ) async throws -> Answer {
        var lines = try known()
        var isNew = false
        let seed: StoreKey
        if let last = lines.last, let kept = try await kept(last) {
            seed = kept
        } else {
            let (key, place) = try await keys.newKey(besides: lines.last?.id)
            seed = key
            lines.append(
                Line(id: key.id, place: place, since: now().wall, publicText: try SSHSigningKey(seed: key).publicText))
            isNew = true
            do { try PrivateFile.write(Array(lines.map(\.text).joined().utf8), to: record) } catch {
                await keys.remove(key.id)
                throw StoreError(
                    code: .unavailable, context: "the key's name cannot be kept; nothing was signed",
                    underlying: error.message)
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

    /// The key of a line; nil where it is lost.
    ///
    /// - Throws: where it is there and cannot be had now: another key would make the clinic doubt.
    private func kept(_ line: Line) async throws -> StoreKey? {
        do { return try await keys.kept(line.id) } catch {
            guard await keys.isLost(line.id, from: line.place) else {
                guard let fault = error as? StoreError else { throw error }
                throw StoreError(
                    code: .unavailable,
                    context: "the key that signs packets cannot be had now. "
                        + fault.context.replacingPrefix("the record is locked: ", by: ""),
                    underlying: fault.underlying)
            }
            return nil
        }
    }

    private func known() throws -> [Line] {
        do throws(SystemFault) {
            let bytes = try PrivateFile.read(record, limit: Self.mostRecord) ?? []
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Line($0) }
        } catch {
            throw StoreError(
                code: .unavailable, context: "the names of the signing keys cannot be read", underlying: error.message)
        }
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String, by other: String) -> String {
        hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
}
