import Foundation

/// An action that answers a call.
/// [CXAnswerCallAction](https://developer.apple.com/documentation/callkit/cxanswercallaction)
open class CXAnswerCallAction: CXCallAction {
    /// Reports that the call was answered.
    ///
    /// Differs from iOS: the date has no effect.
    open func fulfill(withDateConnected dateConnected: Date) { fulfill() }
}
