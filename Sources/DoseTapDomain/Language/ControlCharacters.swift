extension Unicode.Scalar {
    /// True for control characters except newline and tab, and for characters that reorder text on a screen.
    public var isControlOrBidirectional: Bool {
        switch value {
        case 0x09, 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
