import Foundation

/// A request for a task of several minutes, to run while the phone is not in use.
/// [BGProcessingTaskRequest](https://developer.apple.com/documentation/backgroundtasks/bgprocessingtaskrequest)
open class BGProcessingTaskRequest: BGTaskRequest {
    /// Whether the task needs a network: it does not run while the phone is offline.
    open var requiresNetworkConnectivity = false
    /// Stored without effect: the phone does not simulate charging.
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
