/// An app's report about a phone call that the phone already knows.
@_spi(Simulation) public enum CallReport: Sendable, Hashable {
    /// The app has updated attributes of the call; `nil` for an attribute that has not changed.
    case updated(name: String?, handle: String?, hasVideo: Bool)
    case startedConnecting
    case connected
    case ended(CXCallEndedReason)
}
