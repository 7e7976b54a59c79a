extension Signature {
    /// The complete types that follow one another, such as `a{sv}` and `s` of `a{sv}s`.
    public var types: [String] {
        var types: [String] = []
        var current = ""
        var depth = 0
        for character in rawValue {
            current.append(character)
            switch character {
            case "(", "{": depth += 1
            case ")", "}": depth -= 1
            case "a": continue
            default: break
            }
            if depth == 0 {
                types.append(current)
                current = ""
            }
        }
        return types
    }
}
