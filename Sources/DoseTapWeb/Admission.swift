internal import DoseTapText

/// The parts of a browser's request on which the answer depends.
struct Question: Hashable, Sendable {
    var method: String
    /// The target as it came: the path and all that follows it.
    var target: String
    /// The values of all `Host` headers.
    var hosts: [String]
    var origins: [String] = []
    /// The values of all `Sec-Fetch-Site` headers.
    var sites: [String] = []
    var hasBody = false
}

/// The reason why a question gets no page.
enum Refusal: Hashable, Sendable {
    case method
    case host
    case origin
    case address
    case body
    case headers
    case malformed

    /// The status line.
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

    /// The text of the answer. It tells nothing of the record, and not whether an address was right once.
    var text: String {
        self == .address ? "\(WebText.leadsNowhere)\n" : "\(status)\n"
    }
}

/// Decides on a question from its own content alone.
///
/// A page of another site can make a browser ask. Such a question lacks this host or carries the mark of another site, and the
/// page knows no secret. The first address works once. The other addresses work until the program ends.
struct Admission: Sendable {
    /// The things that the server has.
    enum Place: Hashable, Sendable {
        /// The first address, which leads to the frame.
        case entrance
        /// The page that holds the report and listens for changes.
        case frame
        case report
        case changes
    }

    let port: Int
    /// The address of the server, with its port.
    let host: String
    /// The secret of the first address.
    let token: Secret
    /// The secret of the other addresses.
    let session: Secret
    /// True once the first address has led on.
    private(set) var isUsed = false

    init(port: Int, token: Secret, session: Secret) {
        self.port = port
        host = "127.0.0.1:\(port)"
        self.token = token
        self.session = session
    }

    /// The path of the frame, to which the first address leads.
    var path: String { "/s/\(session.text)/" }
    /// The first address as a whole URL.
    var entrance: String { "http://\(host)/open/\(token.text)" }

    func answer(_ question: Question) -> Result<Place, Refused> {
        guard question.hosts == [host] else { return .failure(.init(.host)) }
        guard question.origins.allSatisfy({ $0 == "http://\(host)" }) else { return .failure(.init(.origin)) }
        let place = place(question.target)
        // dosetap opens the browser with a file that leads to the first address, and a file counts as another site.
        guard place == .entrance || question.sites.allSatisfy({ ["none", "same-origin"].contains($0) }) else {
            return .failure(.init(.origin))
        }
        guard ["GET", "HEAD"].contains(question.method) else { return .failure(.init(.method)) }
        guard !question.hasBody else { return .failure(.init(.body)) }
        guard let place else { return .failure(.init(.address)) }
        return .success(place)
    }

    /// Records that the first address was used; from here on it leads nowhere.
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
