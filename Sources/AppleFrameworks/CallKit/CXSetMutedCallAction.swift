import Foundation

/// An action that mutes or unmutes the person's microphone during a call.
/// [CXSetMutedCallAction](https://developer.apple.com/documentation/callkit/cxsetmutedcallaction)
open class CXSetMutedCallAction: CXCallAction {
    open var isMuted: Bool

    public init(call callUUID: UUID, muted: Bool) {
        isMuted = muted
        super.init(call: callUUID)
    }
}
