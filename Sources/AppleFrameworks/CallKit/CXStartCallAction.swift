import Foundation

/// An action that starts an outgoing call.
/// [CXStartCallAction](https://developer.apple.com/documentation/callkit/cxstartcallaction)
open class CXStartCallAction: CXCallAction {
    open var handle: CXHandle
    open var contactIdentifier: String?
    open var isVideo = false

    public init(call callUUID: UUID, handle: CXHandle) {
        self.handle = handle
        super.init(call: callUUID)
    }

    /// Reports that the call was started.
    ///
    /// Differs from iOS: the date has no effect.
    open func fulfill(withDateStarted dateStarted: Date) { fulfill() }
}
