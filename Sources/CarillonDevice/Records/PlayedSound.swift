import CarillonCore

public struct PlayedSound: Sendable, Hashable {
    public let name: String
    public let bundleID: String
    public let at: Timestamp
}
