import CarillonCore
import Foundation

/// Shows the progress of a measurement on one line of standard error.
///
/// If standard error is not a terminal, nothing is written.
struct BenchProgress: Sendable {
    let total: Int
    let clock: any CarillonClock
    let done: @Sendable () -> Int

    /// Updates the line each second until the task is cancelled.
    func run() async {
        guard isatty(STDERR_FILENO) == 1 else { return }
        var last = 0
        while (try? await clock.sleep(for: .seconds(1))) != nil {
            let now = done()
            write("\r\(now) of \(total), \(now - last) per second   ")
            last = now
        }
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
