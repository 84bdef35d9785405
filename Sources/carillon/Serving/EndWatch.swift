import CarillonCore
import CarillonServer
import Foundation
import Logging
import ServiceLifecycle

/// Ends the process if it has not ended within the time ``CarillonService/longestEnd`` after it was asked to end.
///
/// For example, the process may still wait for a database that does not answer. Nothing that the service acknowledged is lost;
/// the service must survive `kill -9` in any case.
struct EndWatch: Service {
    let clock: any CarillonClock
    let logger: Logger
    /// Ends the process at once, without any cleanup.
    var end: @Sendable () -> Void = { _exit(EXIT_FAILURE) }

    func run() async throws {
        await withGracefulShutdownHandler {
            try? await gracefulShutdown()
        } onGracefulShutdown: {
            _ = clock.schedule(after: CarillonService.longestEnd) { [logger, end] in
                logger.error("the program ends with work undone, which goes on at its next start")
                end()
            }
        }
    }
}
