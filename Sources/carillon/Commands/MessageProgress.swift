import CarillonCore
import CarillonServer
import Foundation

/// Describes the progress of a message in a sentence.
struct MessageProgress {
    let report: NotificationReport

    init(_ report: NotificationReport) { self.report = report }

    /// Whether the service continues to send the message.
    var isRunning: Bool { report.state == .accepted || report.state == .sending }

    /// Describes the message's progress.
    ///
    /// - Parameter now: the present time, from which the remaining time is computed.
    /// - Returns: a sentence with the message's state, its counts of devices and, for a message to very many devices, the pushes
    ///   per second.
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
