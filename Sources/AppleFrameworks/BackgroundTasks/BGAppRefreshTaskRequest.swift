import Foundation

/// A request for a short task that prepares new content for the app's next opening.
/// [BGAppRefreshTaskRequest](https://developer.apple.com/documentation/backgroundtasks/bgapprefreshtaskrequest)
open class BGAppRefreshTaskRequest: BGTaskRequest {
    public init(identifier: String) { super.init(task: identifier) }

    override func duplicate() -> BGTaskRequest {
        let copy = BGAppRefreshTaskRequest(identifier: identifier)
        copy.earliestBeginDate = earliestBeginDate
        return copy
    }
}
