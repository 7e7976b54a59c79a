/// The doses that can be taken; the raw value is the `event_type` of `dose_events` (R5).
public enum DoseKind: String, Hashable, Sendable, CaseIterable {
    case dose1
    case dose2
    case extra = "extra_dose"
}
