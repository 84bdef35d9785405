import NIOCore

/// Closes a connection when its sender has gone quiet, or has been waited for long enough.
///
/// The sender is left a moment to read the last answers: closing a socket on which something has just arrived makes the
/// kernel throw away what the other side has not read yet.
final class Linger {
    private let channel: any Channel
    private var hasRead = false

    init(closing channel: any Channel) {
        self.channel = channel
        wait(count: 0)
    }

    /// Something came from the sender.
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
