import NIOCore

/// Closes a connection when its sender has gone quiet, or when it has waited for the longest allowed time.
///
/// This gives the sender time to read the last answers. If a socket is closed just after bytes have arrived on it, the kernel
/// discards answers that the sender has not read.
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
