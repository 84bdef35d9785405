import Foundation

/// Shows the progress of a database copy on one line of standard error.
///
/// If standard error is not a terminal, nothing is written.
final class CopyProgressLine: Sendable {
    private let isShown: Bool

    init(isTerminal: Bool = isatty(STDERR_FILENO) == 1) { isShown = isTerminal }

    func show(_ what: String, _ done: Int, of total: Int) {
        guard isShown else { return }
        write("\r\(what): \(done) of \(total)\u{1B}[K")
    }

    func clear() { if isShown { write("\r\u{1B}[K") } }

    private func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
