import Foundation
@_spi(Simulation) import UserNotifications

/// The scheduler from which an app requests time in the background.
/// [BGTaskScheduler](https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler)
///
/// Differs from iOS: the phone runs no task by itself, because Apple does not document at what times iOS runs tasks; a test
/// calls `runBackgroundTask`. An extension registers no task, and a request that it submits is refused as `notPermitted`.
public final class BGTaskScheduler: NSObject, Sendable {
    /// The shared scheduler. Each call acts for the app whose code makes the call.
    public static let shared = BGTaskScheduler()

    private override init() { super.init() }

    /// Registers a launch handler; call this method before the app has finished launching.
    ///
    /// - Parameters:
    ///   - identifier: one of the app's `BGTaskSchedulerPermittedIdentifiers`. Each identifier can be registered once.
    ///   - queue: the queue on which `launchHandler` is called; `nil` means the main queue. Differs from iOS, where `nil` means
    ///     a background queue.
    ///   - launchHandler: called with the task when the phone runs it.
    /// - Returns: whether the handler was registered.
    @preconcurrency @discardableResult
    public func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
        launchHandler: @escaping @Sendable (BGTask) -> Void
    ) -> Bool { host("register")?.register(identifier, queue: queue, launchHandler: launchHandler) ?? false }

    /// Submits a request, and replaces an earlier one with the same identifier.
    ///
    /// - Throws: ``Error`` if the request is refused.
    public func submit(_ taskRequest: BGTaskRequest) throws {
        guard let host = host("submit") else { throw Error(.notPermitted) }
        try host.submit(taskRequest)
    }

    public func cancel(taskRequestWithIdentifier identifier: String) { host("cancel")?.cancelTask(identifier) }

    public func cancelAllTaskRequests() { host("cancelAllTaskRequests")?.cancelTask(nil) }

    @preconcurrency public func getPendingTaskRequests(
        completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void
    ) { completionHandler(host("getPendingTaskRequests")?.submittedTasks ?? []) }

    public func pendingTaskRequests() async -> [BGTaskRequest] { host("pendingTaskRequests")?.submittedTasks ?? [] }

    /// Returns the running app's process; `nil` in an extension.
    private func host(_ method: String) -> (any BGTaskHost)? {
        guard let process = SimulatedDevices.currentProcess else {
            SimulatedDevices.stopOutsideOfAnyPhone("BGTaskScheduler.\(method)")
        }
        return process as? any BGTaskHost
    }

    /// The reason why a request is refused.
    /// [BGTaskScheduler.Error](https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler/error-swift.struct)
    public struct Error: Swift.Error, Hashable, Sendable, CustomNSError {
        public enum Code: Int, Sendable {
            /// Background App Refresh is off for the app.
            case unavailable = 1
            case tooManyPendingTaskRequests = 2
            /// The identifier or the background mode is missing in Info.plist.
            case notPermitted = 3
        }

        public let code: Code

        public init(_ code: Code) { self.code = code }

        public static var errorDomain: String { "BGTaskSchedulerErrorDomain" }
        public var errorCode: Int { code.rawValue }

        public static let unavailable = Code.unavailable
        public static let tooManyPendingTaskRequests = Code.tooManyPendingTaskRequests
        public static let notPermitted = Code.notPermitted
    }
}
