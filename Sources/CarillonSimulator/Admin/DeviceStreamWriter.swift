import NIOCore

/// Brings devices online over one admin connection, and writes their pushes to the client of this connection.
///
/// The devices are online as long as the connection is open. One connection can carry one device or 100,000 devices. If the
/// client leaves too many pushes unread, the simulator closes the connection.
struct DeviceStreamWriter: Sendable {
    let channel: any Channel
    let fleet: DeviceFleet

    func run(_ devices: [String]) async {
        let writer = EventStreamWriter(channel: channel)
        let stream = PushWriter(channel: channel, limit: SimulatorLimits.pushBacklog(deviceCount: devices.count))
        writer.begin()
        let connections = devices.map { device in fleet.attach(device: device) { stream.send($0) } }
        writer.comment("attached")
        try? await channel.closeFuture.get()
        for connection in connections { await fleet.detach(connection) }
    }
}
