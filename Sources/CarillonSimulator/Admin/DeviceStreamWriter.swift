import NIOCore

/// Attaches devices over the admin port.
///
/// The devices are online while the client reads their pushes. One connection can carry one device or a hundred thousand. A
/// client that falls behind is disconnected, as on a real network.
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
