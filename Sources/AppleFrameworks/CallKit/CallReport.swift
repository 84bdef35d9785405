/// An app's report about a phone call that the phone already knows.
@_spi(Simulation) public enum CallReport: Sendable, Hashable {
    /// An update; `nil` for an attribute that has not changed.
    case updated(name: String?, handle: String?, hasVideo: Bool)
    case startedConnecting
    case connected
    case ended(CXCallEndedReason)
}
