import CarillonCore
import Logging
import ServiceLifecycle

/// The wait of a starting service for its database.
package struct DatabaseWait: Sendable {
    private let clock: any CarillonClock
    private let lines: RepeatedLines

    /// Makes a wait that logs its reason as a warning, at once and then at most once a minute.
    package init(clock: any CarillonClock, logger: Logger) {
        self.init(clock: clock, lines: RepeatedLines(clock: clock, logger: logger))
    }

    init(clock: any CarillonClock, lines: RepeatedLines) { (self.clock, self.lines) = (clock, lines) }

    /// Logs the reason for which the service waits.
    package func tell(_ reason: String) {
        lines.log(.warning, "waiting for the database", metadata: ["reason": "\(reason)"])
    }

    /// Makes a call to the database, and repeats it until the database answers.
    ///
    /// The call is repeated while the database is busy or cannot be reached, while its disk cannot be written, and after a
    /// commit whose outcome is unknown. So the call must have the same effect when it is made twice. Two calls begin at least
    /// ``DeliveryLimits/storeFailureWait`` apart.
    ///
    /// - Returns: the result of the call; `nil` if the service is shut down before the database answers.
    /// - Throws: an error of the call after which another try would not help.
    package func answer<Value>(to call: () async throws -> Value) async throws -> Value? {
        while !Task.isShuttingDownGracefully {
            let began = clock.uptime
            do {
                return try await call()
            } catch let error as ServiceError where error.mayPass {
                tell(error.description)
                // The call may have waited itself, or may have failed at once.
                let left = DeliveryLimits.storeFailureWait - (clock.uptime - began)
                if left > .zero { try await clock.sleep(for: left) }
            }
        }
        return nil
    }
}
