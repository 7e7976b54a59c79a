import DoseTapDomain

/// A column of `events` that holds another kind of value than was written.
struct LogRowFault: Error, Hashable {
    /// The event, as far as it can be told.
    let sequence: Int64
    /// The column.
    let column: String

    /// As the store's error.
    var storeError: StoreError {
        StoreError(
            code: .damaged, context: "event \(sequence) of the log cannot be read",
            underlying: "storage class of column \(column)")
    }
}
