import CarillonCore
import CarillonDevice
import CarillonSimulator
import Foundation

/// The connection between simulated phones and the simulated APNs in this process.
///
/// The phones and APNs have no other connection.
final class SimulatorPushLink: PushLink {
    private let devices: DeviceFleet

    init(_ devices: DeviceFleet) { self.devices = devices }

    func deviceToken(for request: TokenRequest) async throws -> Data {
        devices.issueToken(device: request.phone, topic: request.topic, environment: request.environment)
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
            apnsID: push.apnsID, priority: push.priority)
    }
}
