import Foundation

/// An action that declines a call, or hangs up.
/// [CXEndCallAction](https://developer.apple.com/documentation/callkit/cxendcallaction)
open class CXEndCallAction: CXCallAction {
    /// Reports that the call was ended.
    ///
    /// Differs from iOS: the date has no effect.
    open func fulfill(withDateEnded dateEnded: Date) { fulfill() }
}
