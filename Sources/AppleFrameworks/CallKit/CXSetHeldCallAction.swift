import Foundation

/// An action that puts a call on hold, or resumes it.
/// [CXSetHeldCallAction](https://developer.apple.com/documentation/callkit/cxsetheldcallaction)
open class CXSetHeldCallAction: CXCallAction {
    open var isOnHold: Bool

    public init(call callUUID: UUID, onHold: Bool) {
        isOnHold = onHold
        super.init(call: callUUID)
    }
}
