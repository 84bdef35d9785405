import NIOCore

/// Closes an ending connection once the sender has sent nothing for ``SimulatorLimits/lingerTime``.
///
/// If the sender continues to send, the connection is closed after ``SimulatorLimits/lingerCount`` further periods of this
/// length.
final class Linger {
    private let channel: any Channel
    private var hasRead = false

    init(closing channel: any Channel) {
        self.channel = channel
        wait(count: 0)
    }

    /// Records that the sender has sent something.
    func sawInput() { hasRead = true }

    private func wait(count: Int) {
        hasRead = false
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.eventLoop.scheduleTask(in: SimulatorLimits.lingerTime) {
            let linger = bound.value
            guard linger.hasRead, count < SimulatorLimits.lingerCount else { return linger.channel.close(promise: nil) }
            linger.wait(count: count + 1)
        }
    }
}
