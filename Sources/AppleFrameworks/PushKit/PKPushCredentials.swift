import Foundation

/// A device token for one kind of push.
/// [PKPushCredentials](https://developer.apple.com/documentation/pushkit/pkpushcredentials)
open class PKPushCredentials: NSObject {
    public let type: PKPushType
    /// The token; apps must not rely on its length.
    public let token: Data

    @_spi(Simulation) public init(type: PKPushType, token: Data) {
        self.type = type
        self.token = token
    }
}
