internal import DoseTapText

/// What a browser asks, as far as the answer depends on it.
struct Question: Hashable, Sendable {
    var method: String
    /// The target as it came, with everything behind the path.
    var target: String
    /// The values of all `Host` headers.
    var hosts: [String]
    var origins: [String] = []
    /// The values of all `Sec-Fetch-Site` headers.
    var sites: [String] = []
    var hasBody = false
}

/// Why a question gets no page.
enum Refusal: Hashable, Sendable {
    case method
    case host
    case origin
    case address
    case body
    case headers
    case malformed

    /// The line of the status.
    var status: String {
        switch self {
        case .method: "405 Method Not Allowed"
        case .host: "421 Misdirected Request"
        case .origin, .address: "403 Forbidden"
        case .body: "413 Content Too Large"
        case .headers: "431 Request Header Fields Too Large"
        case .malformed: "400 Bad Request"
        }
    }

    /// What is told: nothing of the record, and not whether an address was right once.
    var text: String {
        self == .address ? "\(WebText.leadsNowhere)\n" : "\(status)\n"
    }
}

/// Decides on a question by what it says alone.
///
/// A page elsewhere can make a browser ask, but not with this host, not without the mark of another site, and it knows no
/// secret. The first address works once. What it leads to works until the program ends.
struct Admission: Sendable {
    /// What there is.
    enum Place: Hashable, Sendable {
        /// The first address: it leads on.
        case entrance
        /// The page that holds the report and hears of changes.
        case frame
        case report
        case changes
    }

    let port: Int
    /// The address of the server, with its port.
    let host: String
    /// The secret of the first address.
    let token: Secret
    /// The secret of the others.
    let session: Secret
    /// Whether the first address has led on.
    private(set) var isUsed = false

    init(port: Int, token: Secret, session: Secret) {
        self.port = port
        host = "127.0.0.1:\(port)"
        self.token = token
        self.session = session
    }

    /// Where the first address leads.
    var path: String { "/s/\(session.text)/" }
    /// The first address, whole.
    var entrance: String { "http://\(host)/open/\(token.text)" }

    func answer(_ question: Question) -> Result<Place, Refused> {
        guard question.hosts == [host] else { return .failure(.init(.host)) }
        guard question.origins.allSatisfy({ $0 == "http://\(host)" }) else { return .failure(.init(.origin)) }
        let place = place(question.target)
        // A file leads to the first address where dosetap opens the browser, and a file is another site.
        guard place == .entrance || question.sites.allSatisfy({ ["none", "same-origin"].contains($0) }) else {
            return .failure(.init(.origin))
        }
        guard ["GET", "HEAD"].contains(question.method) else { return .failure(.init(.method)) }
        guard !question.hasBody else { return .failure(.init(.body)) }
        guard let place else { return .failure(.init(.address)) }
        return .success(place)
    }

    /// The first address leads nowhere from here on.
    mutating func use() { isUsed = true }

    private func place(_ target: String) -> Place? {
        if !isUsed, token.ends(target, after: "/open/") { return .entrance }
        let places: [(String, Place)] = [("", .frame), ("report", .report), ("changes", .changes)]
        return places.first { session.ends(target, after: "/s/", before: "/" + $0.0) }?.1
    }
}

/// A ``Refusal`` as an error.
struct Refused: Error, Hashable {
    let why: Refusal
    init(_ why: Refusal) { self.why = why }
}
