import Foundation
@_spi(Simulation) import UserNotifications

/// The process of a running app: it passes the requests that the app makes through ``PKPushRegistry`` on to the phone.
@_spi(Simulation) public protocol PushRegistryHost: SimulatedProcess {
    func made(_ registry: PKPushRegistry)
    func desiresChanged(of registry: PKPushRegistry)
    func pushToken(for type: PKPushType) -> Data?
}
