internal import Crypto
internal import DoseTapDomain
internal import DoseTapText

/// An answer of the server. A stream of changes has more bytes later.
struct Answer: Sendable {
    var status = "200 OK"
    var type = "text/html; charset=utf-8"
    var policy = "default-src 'none'; frame-ancestors 'none'"
    var body: [UInt8] = []
    /// True if more bytes follow the body.
    var isStream = false
    var more = ""

    /// Returns the head and the body.
    ///
    /// - Parameter isHead: true leaves out the body.
    func bytes(isHead: Bool = false) -> [UInt8] {
        let length = isStream ? "" : "Content-Length: \(body.count)\r\n"
        let head = """
            HTTP/1.1 \(status)\r
            Content-Type: \(type)\r
            \(length)\(more)Connection: close\r
            Cache-Control: no-store\r
            Content-Security-Policy: \(policy)\r
            Cross-Origin-Opener-Policy: same-origin\r
            Cross-Origin-Resource-Policy: same-origin\r
            Referrer-Policy: no-referrer\r
            X-Content-Type-Options: nosniff\r
            \r

            """
        return Array(head.utf8) + (isHead ? [] : body)
    }

    static func refused(_ why: Refusal) -> Answer {
        Answer(
            status: why.status, type: "text/plain; charset=utf-8", body: Array(why.text.utf8),
            more: why == .method ? "Allow: GET, HEAD\r\n" : "")
    }

    /// Answers with the reason why there is no page now.
    static func unavailable(_ text: String) -> Answer {
        Answer(status: "503 Service Unavailable", type: "text/plain; charset=utf-8", body: Array((text + "\n").utf8))
    }

    /// Leads to the frame by a page. A redirect by its status would still count as a visit from the site that led to the first
    /// address.
    static func entrance(to path: String) -> Answer {
        let page = """
            <!doctype html>
            <html lang="\(Speech.code)"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=\(path)">
            <title>DoseTap</title></head><body><a href="\(path)">\(WebText.nights)</a></body></html>

            """
        return Answer(body: Array(page.utf8))
    }

    /// The page around the report. The report itself has no script, so this page loads the report anew.
    static let frame: Answer = {
        let style =
            "html,body{margin:0;height:100%}iframe{border:0;display:block;height:100%;width:100%}"
            + "p{background:#fff;color:#000;font:1rem sans-serif;margin:0;padding:1rem;position:fixed;top:0}"
        let script =
            "const changes=new EventSource('changes');"
            + "changes.addEventListener('change',()=>document.querySelector('iframe').contentWindow.location.reload());"
            + "changes.onerror=()=>{changes.close();document.querySelector('p').hidden=false};"
        let page = """
            <!doctype html>
            <html lang="\(Speech.code)"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
            <title>DoseTap</title><style>\(style)</style></head>
            <body><iframe src="report" title="\(WebText.nights)"></iframe>
            <p role="status" hidden>\(WebText.unheard)</p>
            <script>\(script)</script></body></html>

            """
        return Answer(
            policy:
                "default-src 'none'; script-src '\(hash(Array(script.utf8)))'; style-src '\(hash(Array(style.utf8)))'; "
                + "frame-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            body: Array(page.utf8))
    }()

    /// A report. Only the page above may frame it.
    static func report(_ page: [UInt8]) -> Answer {
        let style = style(of: page).map { "style-src '\(hash($0))'; " } ?? ""
        return Answer(
            policy: "default-src 'none'; \(style)base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
            body: page)
    }

    static let changes = Answer(type: "text/event-stream", isStream: true)
    /// One change in the form of an event stream.
    static let change = Array("event: change\ndata:\n\n".utf8)

    /// Returns the content of the only `<style>` element, which is in the head.
    private static func style(of page: [UInt8]) -> [UInt8]? {
        let head = page.prefix(1 << 18)
        guard let begin = head.firstRange(of: Array("<style>".utf8))?.upperBound,
            let end = head[begin...].firstRange(of: Array("</style>".utf8))?.lowerBound
        else { return nil }
        return Array(head[begin..<end])
    }

    private static func hash(_ text: [UInt8]) -> String { "sha256-" + Base64.text(Array(SHA256.hash(data: text))) }
}
