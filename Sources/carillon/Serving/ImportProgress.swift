import Foundation

/// Shows the progress of an import on one line of standard error.
///
/// If standard error is not a terminal, nothing is written.
struct ImportProgress {
    /// The size of the imported file, in bytes; `nil` if it is unknown.
    let bytes: Int?
    private let isShown: Bool
    private var read = 0
    private var shownAt: Duration?
    private var began: Duration?

    init(bytes: Int?, isTerminal: Bool = isatty(STDERR_FILENO) == 1) {
        self.bytes = bytes
        isShown = isTerminal
    }

    /// Shows the progress, unless it was shown within ``CommandLimits/importProgressInterval``.
    ///
    /// - Parameters:
    ///   - piece: the number of bytes just read.
    ///   - records: the number of records processed so far.
    ///   - uptime: the present uptime.
    mutating func show(_ piece: Int, _ records: Int, at uptime: Duration) {
        read += piece
        began = began ?? uptime
        guard isShown, shownAt.map({ uptime - $0 >= CommandLimits.importProgressInterval }) ?? true else { return }
        shownAt = uptime
        write("\r" + Self.line(read, of: bytes, records, in: uptime - (began ?? uptime)) + "\u{1B}[K")
    }

    func clear() { if isShown, shownAt != nil { write("\r\u{1B}[K") } }

    /// Returns the progress as a line of text, such as `[##########      ] 50 %  120000 records, 40000 a second`.
    static func line(_ read: Int, of bytes: Int?, _ records: Int, in time: Duration) -> String {
        let milliseconds = max(1, Int(time / .milliseconds(1)))
        let words = "\(records) records, \(records * 1000 / milliseconds) a second"
        guard let bytes, bytes > 0 else { return words }
        let percent = min(100, read * 100 / bytes)
        let bar = String(repeating: "#", count: percent / 5).padding(toLength: 20, withPad: " ", startingAt: 0)
        return "[\(bar)] \(percent) %  \(words)"
    }

    private func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
