/// The transitions of a zone and the rule that continues them, immutable and shared by all copies of a ``Zone``.
final class ZoneTable: Sendable {
    /// Seconds since 1970 at which a new type begins, ascending.
    let transitions: [Int64]
    /// For each transition the index of its type in ``types``.
    let typeIndices: [UInt8]
    /// Never empty. The first is in force before the first transition.
    let types: [LocalTimeType]
    /// In force after the last transition, from ever if there is none.
    let rule: ZoneRule?

    /// The indices must be as many as the transitions, each one of `types`, which must not be empty.
    init(transitions: [Int64], typeIndices: [UInt8], types: [LocalTimeType], rule: ZoneRule?) {
        self.transitions = transitions
        self.typeIndices = typeIndices
        self.types = types
        self.rule = rule
    }

    /// The local time type in force at `second`.
    func type(at second: Int64) -> LocalTimeType {
        let following = transitionCount(through: second)
        if following == transitions.count, let rule { return rule.type(at: second) }
        return type(beforeTransition: following)
    }

    /// The stretch that contains `second`. Neighbours may have the same offset.
    func segment(at second: Int64) -> ZoneSegment {
        let following = transitionCount(through: second)
        let start = following == 0 ? Int64.min : transitions[following - 1]
        if following == transitions.count, let rule {
            let segment = rule.segment(at: second)
            return ZoneSegment(start: Swift.max(start, segment.start), end: segment.end, type: segment.type)
        }
        let end = following == transitions.count ? Int64.max : transitions[following]
        return ZoneSegment(start: start, end: end, type: type(beforeTransition: following))
    }

    private func type(beforeTransition index: Int) -> LocalTimeType {
        index == 0 ? types[0] : types[Int(typeIndices[index - 1])]
    }

    /// How many transitions lie at or before `second`.
    private func transitionCount(through second: Int64) -> Int {
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension ZoneTable: Hashable {
    static func == (lhs: ZoneTable, rhs: ZoneTable) -> Bool {
        lhs === rhs
            || lhs.transitions == rhs.transitions && lhs.typeIndices == rhs.typeIndices && lhs.types == rhs.types
                && lhs.rule == rhs.rule
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(transitions.count)
        hasher.combine(transitions.last)
        hasher.combine(types)
    }
}
