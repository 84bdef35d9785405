import NIOCore
import Synchronization

/// Devices attached over the admin port: online while somebody reads their pushes.
///
/// One connection carries one device or a hundred thousand. A reader that does not keep up is cut off, as a network
/// would drop it.
struct DeviceStreamWriter: Sendable {
    let channel: any Channel
    let fleet: DeviceFleet

    func run(_ devices: [String]) async {
        let writer = EventStreamWriter(channel: channel)
        let (backlog, limit) = (Backlog(), SimulatorLimits.pushBacklog(deviceCount: devices.count))
        let deliver: @Sendable (SimulatorPush) -> Void = { [channel] push in
            guard backlog.add() <= limit else { return channel.close(promise: nil) }
            writer.send(push.json, id: nil).whenComplete { _ in backlog.remove() }
        }
        writer.begin()
        let connections = devices.map { ($0, fleet.attach(device: $0, deliver: deliver)) }
        writer.comment("attached")
        try? await channel.closeFuture.get()
        for (device, connection) in connections { await fleet.detach(device: device, connection: connection) }
    }
}

/// How many pushes are on their way to a reader.
private final class Backlog: Sendable {
    private let count = Atomic<Int>(0)
    func add() -> Int { count.add(1, ordering: .relaxed).newValue }
    func remove() { count.subtract(1, ordering: .relaxed) }
}
