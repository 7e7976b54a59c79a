import DoseTapDomain
import Foundation
import Testing

@Suite struct Base64Tests {
    @Test(arguments: 0...6) func `the text is Foundation's, and is read as the same bytes`(count: Int) {
        let bytes = (0..<count).map { UInt8($0 * 41) }
        let text = Base64.text(bytes)
        #expect(text == Data(bytes).base64EncodedString() && Base64.bytes(text) == bytes)
    }
}
