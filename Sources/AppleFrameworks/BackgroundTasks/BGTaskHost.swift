import Foundation
@_spi(Simulation) import UserNotifications

/// A running app, as its task scheduler sees it.
@_spi(Simulation) public protocol BGTaskHost: SimulatedProcess {
    /// - Returns: `false` for an identifier that is registered already, or not one of the app's.
    func register(
        _ identifier: String, queue: DispatchQueue?, launchHandler: @escaping @Sendable (BGTask) -> Void
    ) -> Bool
    func submit(_ request: BGTaskRequest) throws(BGTaskScheduler.Error)
    /// - Parameter identifier: `nil` means all.
    func cancelTask(_ identifier: String?)
    var submittedTasks: [BGTaskRequest] { get }
}
