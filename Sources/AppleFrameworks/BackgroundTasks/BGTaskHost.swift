import Foundation
@_spi(Simulation) import UserNotifications

/// The process of a running app, which forwards the app's calls of ``BGTaskScheduler`` to the simulated phone.
@_spi(Simulation) public protocol BGTaskHost: SimulatedProcess {
    /// Registers a launch handler.
    ///
    /// - Returns: `false` if the identifier already has a handler, or if the app's Info.plist does not permit the identifier.
    func register(
        _ identifier: String, queue: DispatchQueue?, launchHandler: @escaping @Sendable (BGTask) -> Void
    ) -> Bool
    func submit(_ request: BGTaskRequest) throws(BGTaskScheduler.Error)
    /// Cancels a submitted request.
    ///
    /// - Parameter identifier: the request's identifier; `nil` means all requests.
    func cancelTask(_ identifier: String?)
    var submittedTasks: [BGTaskRequest] { get }
}
