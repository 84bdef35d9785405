import Foundation

/// What an app wants to do in the background some time.
/// [BGTaskRequest](https://developer.apple.com/documentation/backgroundtasks/bgtaskrequest)
open class BGTaskRequest: NSObject, NSCopying {
    public let identifier: String
    /// Not before; `nil` is any time.
    open var earliestBeginDate: Date?

    init(identifier: String) {
        self.identifier = identifier
        super.init()
    }

    open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

    func duplicate() -> BGTaskRequest {
        let copy = BGTaskRequest(identifier: identifier)
        copy.earliestBeginDate = earliestBeginDate
        return copy
    }
}
