import NIOCore
import Synchronization

/// Devices attached over the admin port: online while somebody reads their pushes. One connection carries one device or
/// a hundred thousand.
struct DeviceStreamWriter: Sendable {
    let channel: any Channel
    let fleet: DeviceFleet

    /// More pushes than this not yet taken by the reader, and it is cut off, as a network would drop it.
    static func backlogLimit(deviceCount: Int) -> Int { 1000 + 4 * deviceCount }

    func run(_ devices: [String]) async {
        let feed = EventStreamWriter(channel: channel)
        let (backlog, limit) = (Backlog(), Self.backlogLimit(deviceCount: devices.count))
        let deliver: @Sendable (SimulatorPush) -> Void = { [channel] push in
            guard backlog.add() <= limit else { return channel.close(promise: nil) }
            feed.send(push.json, id: nil).whenComplete { _ in backlog.remove() }
        }
        feed.begin()
        let lines = devices.map { ($0, fleet.attach(device: $0, deliver: deliver)) }
        feed.comment("attached")
        try? await channel.closeFuture.get()
        for (device, line) in lines { await fleet.detach(device: device, line: line) }
    }
}

/// How many pushes are on their way to a reader.
private final class Backlog: Sendable {
    private let count = Atomic<Int>(0)
    func add() -> Int { count.add(1, ordering: .relaxed).newValue }
    func remove() { count.subtract(1, ordering: .relaxed) }
}
