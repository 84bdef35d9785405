import Foundation

/// An action that groups a call with another call, or removes the call from its group.
/// [CXSetGroupCallAction](https://developer.apple.com/documentation/callkit/cxsetgroupcallaction)
///
/// Differs from iOS: the phone does not group calls. If an app requests this action, the phone only calls the delegate of the
/// app's `CXProvider`.
open class CXSetGroupCallAction: CXCallAction {
    /// The call to group with; `nil` to leave the group.
    open var callUUIDToGroupWith: UUID?

    public init(call callUUID: UUID, callUUIDToGroupWith: UUID?) {
        self.callUUIDToGroupWith = callUUIDToGroupWith
        super.init(call: callUUID)
    }
}
