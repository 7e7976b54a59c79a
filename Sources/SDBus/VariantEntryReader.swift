/// A value of an `a{sv}` that is being read entry by entry.
public enum VariantEntryValue {
    /// Again an `a{sv}`, to be read with ``MessageReader/readVariantEntries(_:)`` before the next entry.
    case entries(MessageReader)
    /// Anything else.
    case value(Variant)
}

extension MessageReader {
    /// Reads an `a{sv}` entry by entry in the order of the message, without a dictionary in between.
    ///
    /// - Parameter take: is given each key with its value; whether a key comes twice is for it to judge.
    public func readVariantEntries(
        _ take: (String, VariantEntryValue) throws(BusError) -> Void
    ) throws(BusError) {
        try enter(UInt8(ascii: "a"), "{sv}")
        var count = 0
        while try !isAtEnd() {
            count += 1
            try refuse(elementCount: count)
            try enter(UInt8(ascii: "e"), "sv")
            let key = try String.read(from: self)
            guard let (_, contents) = try peek() else { throw BusError.invalidArgs("a variant is missing") }
            var inside = self
            try inside.deepen()
            try enter(UInt8(ascii: "v"), contents)
            if contents == "a{sv}" {
                try take(key, .entries(inside))
            } else {
                try take(key, .value(try Variant.read(contents, from: inside)))
            }
            try exit()
            try exit()
        }
        try exit()
    }
}
