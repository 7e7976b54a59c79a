import Foundation
import FoundationXML
import Testing

/// Reads a report with an XML parser, independent of the code that wrote the report.
final class PageReader: NSObject, XMLParserDelegate {
    /// An element with its attributes and the text in it.
    struct Element {
        let name: String
        let attributes: [String: String]
        var text = ""

        subscript(_ name: String) -> String? { attributes[name] }
        func number(_ name: String) -> Double? { attributes[name].flatMap(Double.init) }

        /// The place of the element, by the page's own convention.
        var place: (x: Double, y: Double)? {
            switch name {
            case "line": return number("x1").flatMap { x in number("y1").map { (x, $0) } }
            case "circle": return number("cx").flatMap { x in number("cy").map { (x, $0) } }
            case "rect": return number("x").flatMap { x in number("y").map { (x, $0) } }
            default:
                guard let transform = self["transform"], transform.hasPrefix("translate(") else { return nil }
                let parts = transform.dropFirst(10).dropLast().split(separator: " ").compactMap { Double($0) }
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }
        }
    }

    private(set) var elements: [Element] = []
    private var open: [Int] = []
    private var fault: (any Error)?

    /// Reads the elements of a picture or a table.
    ///
    /// - Throws: the fault, when the fragment is not well-formed.
    private init(fragment: Substring) throws {
        super.init()
        let parser = XMLParser(data: Data(fragment.utf8))
        parser.delegate = self
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.coderInvalidValue) }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append(elements.count)
        elements.append(Element(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        for index in open { elements[index].text += text }
    }

    /// The picture of a chart; nil when the page has none.
    static func chart(_ name: String, _ page: String) throws -> PageReader? {
        try fragment(page, from: "data-chart=\"\(name)\"", element: "svg")
    }

    /// The table with an id; nil when the page has none.
    static func table(_ id: String, _ page: String) throws -> PageReader? {
        try fragment(page, from: "id=\"\(id)\"", element: "table")
    }

    private static func fragment(_ page: String, from mark: String, element: String) throws -> PageReader? {
        guard let found = page.range(of: mark),
            let start = page.range(
                of: "<\(element)", options: .backwards, range: page.startIndex..<page.index(after: found.lowerBound))
                ?? page.range(of: "<\(element)", range: found.lowerBound..<page.endIndex),
            let end = page.range(of: "</\(element)>", range: found.lowerBound..<page.endIndex)
        else { return nil }
        return try PageReader(fragment: page[start.lowerBound..<end.upperBound])
    }

    /// The marks of a chart, of some kinds or of all.
    func marks(_ kinds: String...) -> [Element] {
        elements.filter { $0["data-night"] != nil && (kinds.isEmpty || kinds.contains($0["data-mark"] ?? "")) }
    }

    /// The place of a value between the ticks of an axis.
    ///
    /// - Parameter read: the value of a tick.
    func place(_ value: Double, axis: String, _ read: (String) -> Double?) -> Double? {
        let ticks = elements.compactMap { tick -> (value: Double, place: Double)? in
            guard tick["data-axis"] == axis, let value = tick["data-tick"].flatMap(read), let place = tick.place else {
                return nil
            }
            return (value, axis == "x" ? place.x : place.y)
        }.sorted { $0.value < $1.value }
        guard let first = ticks.first, let last = ticks.last else { return nil }
        guard last.value > first.value else { return first.place }
        return first.place + (last.place - first.place) * (value - first.value) / (last.value - first.value)
    }
}
