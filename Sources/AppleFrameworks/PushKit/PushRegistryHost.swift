import Foundation
@_spi(Simulation) import UserNotifications

/// A running app, from PushKit's point of view.
@_spi(Simulation) public protocol PushRegistryHost: SimulatedProcess {
    func made(_ registry: PKPushRegistry)
    func desiresChanged(of registry: PKPushRegistry)
    func pushToken(for type: PKPushType) -> Data?
}
