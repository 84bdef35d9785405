import Foundation
@_spi(Simulation) import UserNotifications

/// The process of a running app, which forwards the app's calls of ``PKPushRegistry`` to the simulated phone.
@_spi(Simulation) public protocol PushRegistryHost: SimulatedProcess {
    func made(_ registry: PKPushRegistry)
    func desiresChanged(of registry: PKPushRegistry)
    func pushToken(for type: PKPushType) -> Data?
}
