import Foundation

/// A short task, to have something new when the person opens the app.
/// [BGAppRefreshTaskRequest](https://developer.apple.com/documentation/backgroundtasks/bgapprefreshtaskrequest)
open class BGAppRefreshTaskRequest: BGTaskRequest {
    public init(identifier: String) { super.init(task: identifier) }

    override func duplicate() -> BGTaskRequest {
        let copy = BGAppRefreshTaskRequest(identifier: identifier)
        copy.earliestBeginDate = earliestBeginDate
        return copy
    }
}
