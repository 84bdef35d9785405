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
    /// Ends the program at once, without a word to what it waits for.
    var end: @Sendable () -> Void = { _exit(EXIT_FAILURE) }

    func run() async throws {
        await withGracefulShutdownHandler {
            try? await gracefulShutdown()
        } onGracefulShutdown: {
            _ = clock.schedule(at: clock.now + CarillonService.longestEnd) { [logger, end] in
                logger.error("the program ends with work undone, which goes on at its next start")
                end()
            }
        }
    }
}
