import Foundation

/// An action that plays the digits that the person types during a call.
/// [CXPlayDTMFCallAction](https://developer.apple.com/documentation/callkit/cxplaydtmfcallaction)
open class CXPlayDTMFCallAction: CXCallAction {
    public enum ActionType: Int, Sendable {
        case singleTone = 1
        case softPause = 2
        case hardPause = 3
    }

    open var digits: String
    open var type: CXPlayDTMFCallAction.ActionType

    public init(call callUUID: UUID, digits: String, type: CXPlayDTMFCallAction.ActionType) {
        self.digits = digits
        self.type = type
        super.init(call: callUUID)
    }
}
