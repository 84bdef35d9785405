import CarillonCore
import CarillonServer
import Foundation

/// How far a message has come, in a sentence.
struct MessageProgress {
    let report: NotificationReport

    init(_ report: NotificationReport) { self.report = report }

    /// Whether more of it goes out without anybody doing anything.
    var isRunning: Bool { report.state == .accepted || report.state == .sending }

    /// - Parameter now: what the time that is left counts from.
    /// - Returns: its id and state, how many devices stand where, and for a message to very many how fast it goes out.
    func sentence(at now: Timestamp) -> String {
        let counts = report.counts
        var parts = ["\(report.state.rawValue)", "\(counts.accepted) of \(counts.devices) accepted"]
        for (count, words) in [
            (counts.rejected, "rejected"), (counts.shown, "shown"), (counts.secondSends, "sent again"),
        ] where count > 0 { parts.append("\(count) \(words)") }
        if let progress = report.progress {
            if progress.decided < progress.total {
                parts.append("\(progress.decided) of \(progress.total) devices decided")
            }
            if let perSecond = progress.perSecond { parts.append(String(format: "%.0f a second", perSecond)) }
            if let end = progress.finishesAt {
                parts.append("done in \(max(0, (end - now).wholeMilliseconds / 1000)) s")
            }
        }
        return "\(report.id): \(parts.joined(separator: ", "))"
    }
}
