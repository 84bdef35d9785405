import NIOCore
import Synchronization

/// The open connections of senders.
final class ConnectionRegistry: Sendable {
    private struct State {
        var lastNumber = 0
        var channels: [Int: any Channel] = [:]
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.channels.count } }
    var channels: [any Channel] { state.withLock { Array($0.channels.values) } }

    /// Adds a connection.
    ///
    /// - Returns: the connection's number, counted from 1.
    func add(_ channel: any Channel) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.channels[state.lastNumber] = channel
            return state.lastNumber
        }
    }

    func remove(_ number: Int) { state.withLock { _ = $0.channels.removeValue(forKey: number) } }

    /// Sends a command to every connection, and waits until each connection has carried out the command or has closed.
    func tell(_ command: ConnectionCommand) async {
        for channel in channels {
            try? await channel.triggerUserOutboundEvent(command).get()
        }
    }

    /// Waits until every connection is closed, and cuts the connections that are still open after `grace`.
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
