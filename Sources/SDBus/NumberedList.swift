/// Elements by their numbers, in the order of their arrival: for the few things that wait on a connection.
///
/// An array rather than a dictionary: for each key type the runtime has to look through all conformances of the program
/// to find out how it is hashed, which takes a short-lived client longer than its call.
struct NumberedList<Element> {
    private var entries: [(number: UInt64, element: Element)] = []

    var elements: [Element] { entries.map(\.element) }

    mutating func append(_ element: Element, number: UInt64) { entries.append((number, element)) }

    @discardableResult
    mutating func remove(_ number: UInt64) -> Element? {
        guard let index = entries.firstIndex(where: { $0.number == number }) else { return nil }
        return entries.remove(at: index).element
    }
}
