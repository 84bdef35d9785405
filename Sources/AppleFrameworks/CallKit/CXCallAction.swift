import Foundation

/// An action on one call.
/// [CXCallAction](https://developer.apple.com/documentation/callkit/cxcallaction)
open class CXCallAction: CXAction {
    public let callUUID: UUID

    public init(call callUUID: UUID) {
        self.callUUID = callUUID
        super.init()
    }
}
