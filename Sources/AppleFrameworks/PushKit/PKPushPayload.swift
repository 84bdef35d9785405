import Foundation

/// The payload of a push, as sent. [PKPushPayload](https://developer.apple.com/documentation/pushkit/pkpushpayload)
open class PKPushPayload: NSObject {
    public let type: PKPushType
    /// The whole payload.
    public let dictionaryPayload: [AnyHashable: Any]

    @_spi(Simulation) public init(type: PKPushType, dictionaryPayload: [AnyHashable: Any]) {
        self.type = type
        self.dictionaryPayload = dictionaryPayload
    }
}
