import Foundation

/// The changing values of a Live Activity, and how the system treats them.
/// [ActivityContent](https://developer.apple.com/documentation/activitykit/activitycontent)
@available(iOS 16.2, *)
public struct ActivityContent<State> where State: Decodable, State: Encodable, State: Hashable {
    public let state: State
    /// The time from which the content is outdated; `nil` means never.
    public let staleDate: Date?
    /// The rank among the app's Live Activities: the highest leads.
    public let relevanceScore: Double

    public init(state: State, staleDate: Date?, relevanceScore: Double = 0.0) {
        self.state = state
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
    }
}

@available(iOS 16.2, *)
extension ActivityContent: Sendable where State: Sendable {}
