import NIOCore
import Synchronization

/// Keeps the open connections.
final class ConnectionRegistry: Sendable {
    private struct State {
        var lastNumber = 0
        var channels: [Int: any Channel] = [:]
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.channels.count } }
    var channels: [any Channel] { state.withLock { Array($0.channels.values) } }

    /// - Returns: the connection's number, from 1.
    func add(_ channel: any Channel) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.channels[state.lastNumber] = channel
            return state.lastNumber
        }
    }

    func remove(_ number: Int) { state.withLock { _ = $0.channels.removeValue(forKey: number) } }

    /// Sends a command to every connection, and returns when each has carried it out or is gone.
    func tell(_ command: ConnectionCommand) async {
        for channel in channels {
            try? await channel.triggerUserOutboundEvent(command).get()
        }
    }

    /// Waits until every connection is closed; cuts those that are still open after `grace`.
    func closed(within grace: Duration) async {
        let open = channels
        let cuts = open.map { channel in
            channel.eventLoop.scheduleTask(in: TimeAmount(grace)) { channel.close(promise: nil) }
        }
        for (channel, cut) in zip(open, cuts) {
            try? await channel.closeFuture.get()
            cut.cancel()
        }
    }
}
