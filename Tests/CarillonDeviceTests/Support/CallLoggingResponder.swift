import UIKit

/// A base class for the delegates of these tests, with a call log that the test reads.
///
/// It conforms to no delegate protocol itself: a method that only a subclass has would not be called then.
class CallLoggingResponder: UIResponder {
    let callLog: CallLog

    init(_ callLog: CallLog) {
        self.callLog = callLog
        super.init()
    }

    override init() {
        callLog = CallLog()
        super.init()
    }
}
