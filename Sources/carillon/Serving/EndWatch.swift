import CarillonCore
import CarillonServer
import Foundation
import Logging
import ServiceLifecycle

/// Ends the program some time after it was asked to end, whatever it still waits for, such as a database that does not answer.
///
/// Nothing acknowledged is lost by that: it is what `kill -9` does, too.
struct EndWatch: Service {
    let clock: any CarillonClock
    let logger: Logger

    func run() async throws {
        await withGracefulShutdownHandler {
            try? await gracefulShutdown()
        } onGracefulShutdown: {
            _ = clock.schedule(at: clock.now + CarillonService.longestEnd) {
                logger.error("the program ends with work undone, which goes on at its next start")
                _exit(EXIT_FAILURE)
            }
        }
    }
}
