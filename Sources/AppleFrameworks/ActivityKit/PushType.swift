/// The source of a Live Activity's pushes. [PushType](https://developer.apple.com/documentation/activitykit/pushtype)
@available(iOS 16.1, *)
public struct PushType: Equatable, Sendable {
    /// The channel's ID; `nil` means pushes to a token.
    @_spi(Simulation) public let channelID: String?

    /// Pushes to a token of this Live Activity.
    public static var token: PushType { PushType(channelID: nil) }

    /// Broadcasts to a channel, by its ID.
    @available(iOS 18, *)
    public static func channel(_ channelId: String) -> PushType { PushType(channelID: channelId) }
}
