public import DoseTapEngine
public import DoseTapStore

/// The store is what the engine needs: here the two rooms meet.
extension Store: EventStore {}

/// It has a thread on which a disk may be waited for.
extension Store: FileThread {}
