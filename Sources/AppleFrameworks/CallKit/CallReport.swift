/// An app's report about a call that the phone knows.
@_spi(Simulation) public enum CallReport: Sendable, Hashable {
    /// `nil` for what is not new.
    case updated(name: String?, handle: String?, hasVideo: Bool)
    case startedConnecting
    case connected
    case ended(CXCallEndedReason)
}
