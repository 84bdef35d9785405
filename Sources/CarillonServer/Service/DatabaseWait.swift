import CarillonCore
import Logging
import ServiceLifecycle

/// The wait of a starting service for its database.
package struct DatabaseWait: Sendable {
    private let clock: any CarillonClock
    private let logger: Logger

    /// Makes a wait that logs each reason as a warning.
    package init(clock: any CarillonClock, logger: Logger) {
        self.clock = clock
        self.logger = logger
    }

    /// Makes a call to the database, and repeats it until the database answers.
    ///
    /// The call is repeated while the database is busy or cannot be reached, while its disk is full, and after a commit whose
    /// outcome is unknown. So the call must have the same effect when it is made twice.
    ///
    /// - Returns: the result of the call; `nil` if the service is shut down before the database answers.
    /// - Throws: an error of the call after which another try would not help.
    package func answer<Value>(to call: () async throws -> Value) async throws -> Value? {
        while !Task.isShuttingDownGracefully {
            do {
                return try await call()
            } catch let error as ServiceError where error.mayPass {
                logger.warning("waiting for the database", metadata: ["reason": "\(error)"])
                // A call to a busy database has already waited.
                if error.code != .busy { try await clock.sleep(for: DeliveryLimits.storeFailureWait) }
            }
        }
        return nil
    }
}
