import Foundation

/// A call is put on hold, or taken up again.
/// [CXSetHeldCallAction](https://developer.apple.com/documentation/callkit/cxsetheldcallaction)
open class CXSetHeldCallAction: CXCallAction {
    open var isOnHold: Bool

    public init(call callUUID: UUID, onHold: Bool) {
        isOnHold = onHold
        super.init(call: callUUID)
    }
}
