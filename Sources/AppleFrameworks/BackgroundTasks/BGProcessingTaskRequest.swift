import Foundation

/// A request for a task of several minutes, to run while the phone is not in use.
/// [BGProcessingTaskRequest](https://developer.apple.com/documentation/backgroundtasks/bgprocessingtaskrequest)
open class BGProcessingTaskRequest: BGTaskRequest {
    /// Whether the task needs a network. If so, the phone does not run it while offline.
    open var requiresNetworkConnectivity = false
    /// Whether the task needs external power; stored without effect, because the phone does not simulate charging.
    open var requiresExternalPower = false

    public init(identifier: String) { super.init(task: identifier) }

    override func duplicate() -> BGTaskRequest {
        let copy = BGProcessingTaskRequest(identifier: identifier)
        copy.earliestBeginDate = earliestBeginDate
        copy.requiresNetworkConnectivity = requiresNetworkConnectivity
        copy.requiresExternalPower = requiresExternalPower
        return copy
    }
}
