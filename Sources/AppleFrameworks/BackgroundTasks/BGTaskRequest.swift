import Foundation

/// A request of an app to run a task in the background later.
/// [BGTaskRequest](https://developer.apple.com/documentation/backgroundtasks/bgtaskrequest)
open class BGTaskRequest: NSObject, NSCopying {
    public let identifier: String
    /// The earliest time at which the task may run; `nil` for any time.
    open var earliestBeginDate: Date?

    /// Makes a request without an earliest begin date.
    ///
    /// - Parameter name: the identifier of the task.
    init(task name: String) {
        identifier = name
        super.init()
    }

    open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

    func duplicate() -> BGTaskRequest {
        let copy = BGTaskRequest(task: identifier)
        copy.earliestBeginDate = earliestBeginDate
        return copy
    }
}
