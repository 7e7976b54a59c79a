internal import DoseTapText

/// Text of a page and its pictures. Names of elements and attributes are literals of the source, and everything else is
/// escaped on its way in, so no text of the record can become markup.
struct Markup {
    private(set) var bytes: [UInt8] = []

    /// The attributes of an element.
    typealias Attributes = KeyValuePairs<StaticString, any AttributeValue>

    /// Adds an element and its content.
    mutating func element(
        _ name: StaticString, _ attributes: Attributes = [:], _ body: (inout Markup) -> Void
    ) {
        open(name, attributes)
        put(">")
        body(&self)
        close(name)
    }

    mutating func element(_ name: StaticString, _ attributes: Attributes, _ text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// Adds an element with a text and nothing else.
    mutating func element(_ name: StaticString, _ text: String) { element(name, [:]) { $0.text(text) } }

    /// Adds an empty element of a picture.
    mutating func shape(_ name: StaticString, _ attributes: Attributes) {
        open(name, attributes)
        put("/>")
    }

    /// Adds an element of a page that has no end tag, such as `meta`.
    mutating func void(_ name: StaticString, _ attributes: Attributes = [:]) {
        open(name, attributes)
        put(">")
    }

    /// Adds a text, on one line.
    mutating func text(_ text: String) { escape(text) }

    /// Adds markup from the source code.
    mutating func put(_ literal: StaticString) {
        literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Adds markup that was made before.
    mutating func put(_ markup: Markup) { bytes += markup.bytes }

    private mutating func open(_ name: StaticString, _ attributes: Attributes) {
        put("<")
        put(name)
        for (name, value) in attributes {
            guard let value = value.attribute else { continue }
            put(" ")
            put(name)
            put("=\"")
            escape(value)
            put("\"")
        }
    }

    private mutating func close(_ name: StaticString) {
        put("</")
        put(name)
        put(">")
    }

    private mutating func escape(_ text: String) {
        for scalar in SafeText.line(text).unicodeScalars {
            switch scalar {
            case "&": put("&amp;")
            case "<": put("&lt;")
            case ">": put("&gt;")
            case "\"": put("&quot;")
            case "'": put("&#39;")
            case _ where scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value):
                // A noncharacter: a strict reader of pages refuses it.
                put("\u{FFFD}")
            default: bytes.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
            }
        }
    }
}

/// The types that an attribute can have.
protocol AttributeValue {
    /// The text of the value; nil leaves the attribute out.
    var attribute: String? { get }
}

extension String: AttributeValue {
    var attribute: String? { self }
}

extension Int: AttributeValue {
    var attribute: String? { String(self) }
}

extension Double: AttributeValue {
    /// The number to a tenth: a hundredth of a pixel cannot be seen.
    var attribute: String? { Chart.number(self) }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
    var attribute: String? { flatMap(\.attribute) }
}
