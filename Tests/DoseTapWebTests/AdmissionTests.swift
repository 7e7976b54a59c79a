import Crypto
import Foundation
import Testing

@testable import DoseTapWeb

@Suite struct AdmissionTests {
    private static let token = String(repeating: "ab", count: 32)
    private static let session = String(repeating: "cd", count: 32)
    private var admission: Admission {
        Admission(port: 4711, token: Secret(text: Self.token), session: Secret(text: Self.session))
    }

    private func asked(_ target: String, _ change: (inout Question) -> Void = { _ in }) -> Result<
        Admission.Place, Refused
    > {
        var question = Question(method: "GET", target: target, hosts: ["127.0.0.1:4711"])
        change(&question)
        return admission.answer(question)
    }

    @Test func `R36.2 each place has one address`() {
        #expect(asked("/open/" + Self.token) == .success(.entrance))
        #expect(asked("/s/\(Self.session)/") == .success(.frame))
        #expect(asked("/s/\(Self.session)/report") == .success(.report))
        #expect(asked("/s/\(Self.session)/changes") == .success(.changes))
        for target in [
            "/", "", "*", "/open/", "/open/" + Self.session, "/open/\(Self.token)/", "/open/\(Self.token)?a",
            "/open/" + Self.token.uppercased(), "/s/", "/s/\(Self.session)", "/s/\(Self.session)//",
            "/s/\(Self.token)/",
            "/s/\(Self.session)/x", "/s/\(Self.session)/report?x", "http://127.0.0.1:4711/s/\(Self.session)/",
            "//s/\(Self.session)/", "/s/\(Self.session)/../s/\(Self.session)/", "/s/\(Self.session)/%72eport",
        ] { #expect(asked(target) == .failure(Refused(.address)), "\(target)") }
    }

    @Test func `R36.2 the first address leads on once`() {
        var used = admission
        used.use()
        let question = Question(method: "GET", target: "/open/" + Self.token, hosts: ["127.0.0.1:4711"])
        #expect(used.answer(question) == .failure(Refused(.address)))
    }

    @Test(arguments: [
        [], [""], ["127.0.0.1"], ["127.0.0.1:80"], ["localhost:4711"], ["evil.example"],
        ["127.0.0.1:4711", "127.0.0.1:4711"],
        ["127.0.0.1:4711."], ["[::1]:4711"], ["0.0.0.0:4711"], ["127.0.0.1:04711"],
    ])
    func `R36.3 another host is no host`(hosts: [String]) {
        #expect(asked("/s/\(Self.session)/") { $0.hosts = hosts } == .failure(Refused(.host)))
    }

    @Test func `R36.3, G8 another origin and another site get nothing`() {
        for place in ["/s/\(Self.session)/", "/s/\(Self.session)/changes"] {
            for origin in ["null", "http://evil.example", "http://127.0.0.1", "https://127.0.0.1:4711", "file://", ""] {
                #expect(asked(place) { $0.origins = [origin] } == .failure(Refused(.origin)), "\(origin)")
            }
            for site in ["cross-site", "same-site", "", "None"] {
                #expect(asked(place) { $0.sites = [site] } == .failure(Refused(.origin)), "\(site)")
            }
            #expect(asked(place) { $0.sites = ["same-origin", "cross-site"] } == .failure(Refused(.origin)))
        }
        #expect(asked("/s/\(Self.session)/") { $0.origins = ["http://127.0.0.1:4711"] } == .success(.frame))
        #expect(asked("/s/\(Self.session)/") { $0.sites = ["none"] } == .success(.frame))
        // A page from a file counts as another site, and may open only the first address.
        #expect(asked("/open/" + Self.token) { $0.sites = ["cross-site"] } == .success(.entrance))
        #expect(asked("/") { $0.sites = ["cross-site"] } == .failure(Refused(.origin)))
    }

    @Test func `R36.4 only questions without a body are read`() {
        for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE", "get", "BREW"] {
            #expect(asked("/s/\(Self.session)/") { $0.method = method } == .failure(Refused(.method)), "\(method)")
        }
        #expect(asked("/s/\(Self.session)/") { $0.method = "HEAD" } == .success(.frame))
        #expect(asked("/s/\(Self.session)/") { $0.hasBody = true } == .failure(Refused(.body)))
    }

    @Test func `R36.2 secrets are 256 bits and differ`() throws {
        let secrets = try (0..<100).map { _ in try #require(Secret()).text }
        #expect(Set(secrets).count == 100 && secrets.allSatisfy { $0.count == 64 })
        #expect(secrets.allSatisfy { $0.allSatisfy { "0123456789abcdef".contains($0) } })
    }

    @Test func `R36.3 the user of a connection is read as proc writes it`() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1267 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1 0 100 0 0 10 0
               1: 0100007F:1267 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     7        0 112 1 0 20 4 30 10 -1
               2: 0100007F:9C40 0100007F:1267 01 00000000:00000000 00:00000000 00000000  1000        0 113 1 0 20 4 30 10 -1
               3: 0100007F:9C41 0100007F:1267 06 00000000:00000000 03:00001770 00000000     0        0 0 3 0
               4: 0200007F:9C42 0100007F:1267 01 00000000:00000000 00:00000000 00000000  1000        0 114 1 0 20 4 30 10 -1

            """
        func user(_ port: UInt16) -> UInt32? { ConnectionOwner.user(of: Array(table.utf8), from: port, to: 0x1267) }
        #expect(user(0x9C40) == 1000)
        // A closed connection, another address, a missing line and a cut line give no user.
        #expect(user(0x9C41) == nil && user(0x9C42) == nil && user(0x9C43) == nil)
        #expect(
            ConnectionOwner.user(of: Array(" 0100007F:9C40 0100007F:1267 01".utf8), from: 0x9C40, to: 0x1267) == nil)
    }

    @Test func `R36.5 the policies name the page's own script and style alone`() throws {
        let frame = String(decoding: Answer.frame.body, as: UTF8.self)
        for (tag, word) in [("script", "script-src"), ("style", "style-src")] {
            let text = try #require(
                frame.components(separatedBy: "<\(tag)>").last?.components(separatedBy: "</\(tag)>").first)
            let hash = Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
            #expect(Answer.frame.policy.contains("\(word) 'sha256-\(hash)'"))
        }
        let report = Answer.report(Array("<head><style>a{b:c}</style></head><body><style>x</style>".utf8))
        let hash = Data(SHA256.hash(data: Data("a{b:c}".utf8))).base64EncodedString()
        #expect(report.policy.contains("style-src 'sha256-\(hash)';") && !report.policy.contains("script"))
        for answer in [Answer.frame, report, .refused(.host), .changes, .entrance(to: "/")] {
            #expect(answer.policy.hasPrefix("default-src 'none'; ") && answer.policy.contains("frame-ancestors"))
            #expect(!answer.policy.contains("unsafe"))
        }
    }
}
