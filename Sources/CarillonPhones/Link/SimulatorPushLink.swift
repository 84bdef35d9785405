import CarillonCore
import CarillonDevice
import CarillonSimulator
import Foundation

/// The connection between simulated phones and the simulated APNs in this process.
///
/// The phones and APNs have no other connection.
final class SimulatorPushLink: PushLink {
    private let simulator: APNsSimulator
    private var devices: DeviceFleet { simulator.devices }

    init(_ simulator: APNsSimulator) { self.simulator = simulator }

    func deviceToken(for request: TokenRequest) async throws -> Data {
        devices.issueToken(
            device: request.phone, topic: request.topic, environment: request.environment, isNew: request.isNew)
    }

    func follow(_ channels: [String], of bundleID: String, phone: String) async throws {
        try simulator.followChannels(channels, topic: bundleID, device: phone)
    }

    func invalidate(_ token: Data) async { devices.invalidate(token) }

    func connect(phone: String, deliver: @escaping @Sendable (IncomingPush) -> Void) async {
        devices.connect(device: phone) { push in deliver(IncomingPush(push)) }
    }

    func disconnect(phone: String) async { await devices.disconnect(device: phone) }
}

extension IncomingPush {
    init(_ push: SimulatorPush) {
        self.init(
            topic: push.bundleID, pushType: push.pushType, payload: push.payload, collapseID: push.collapseID,
            apnsID: push.apnsID, priority: push.priority, token: push.token?.data, channelID: push.channelID)
    }
}
