import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Testing

@Suite struct SignerTests {
    private static let sums = String(repeating: "0", count: 64) + "  nights.csv\n"

    private func refusal(
        _ bench: ServiceBench, of sums: String = sums, by fingerprint: String
    ) async -> ErrorKind? {
        do {
            _ = try await bench.client.signPacket(sums, by: fingerprint)
            return nil
        } catch { return (error as? ServiceError)?.kind }
    }

    @Test func `R33.4 a packet is signed by the key that it names or by none, and signing makes no key`() async throws {
        let bench = try await ServiceBench.start()
        #expect(await refusal(bench, by: "SHA256:7+VmycPtxmyWE3n3jLxwQnyJ3CQjyLNrFOo1OQNznQM") == .storeUnavailable)
        let signer = try await bench.client.packetSigner()
        #expect(signer.isNew && signer.replaces == nil)
        #expect(await refusal(bench, by: "SHA256:7+VmycPtxmyWE3n3jLxwQnyJ3CQjyLNrFOo1OQNznQM") == .storeUnavailable)
        #expect(await refusal(bench, by: "") == .storeUnavailable)
        #expect(await refusal(bench, of: "I took nothing.\n", by: signer.fingerprint) == .invalidInput)
        let signature = try await bench.client.signPacket(Self.sums, by: signer.fingerprint)
        #expect(signature.hasPrefix("-----BEGIN SSH SIGNATURE-----\n"))
        #expect(try await bench.client.packetSigner().fingerprint == signer.fingerprint)
        try await bench.stop()
    }
}
