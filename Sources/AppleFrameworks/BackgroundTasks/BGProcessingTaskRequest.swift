import Foundation

/// A task of minutes, for when the phone lies unused.
/// [BGProcessingTaskRequest](https://developer.apple.com/documentation/backgroundtasks/bgprocessingtaskrequest)
open class BGProcessingTaskRequest: BGTaskRequest {
    /// Not on an offline phone.
    open var requiresNetworkConnectivity = false
    /// Kept: the phone does not tell whether it charges.
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
