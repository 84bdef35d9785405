import Foundation
import FoundationNetworking
import _SystemFoundation

/// The URL sessions of an app: Foundation's, except that their callbacks find the phone that made the session.
///
/// A file gets these sessions if it imports UserNotifications or UIKit but not FoundationNetworking, as all code for iOS does.
///
/// Differs from iOS: in a file that imports FoundationNetworking by name these are Foundation's own sessions. Their completion
/// handlers do not know their phone while several run in one process, and only the shared session fails while the phone is
/// offline. A running request is not cancelled when the phone goes offline.
extension URLSession {
    // Disfavoured, because a file that imports FoundationNetworking could not distinguish these from Foundation's.

    /// The app's own session; its requests end with the app. Outside any phone it is Foundation's.
    @_disfavoredOverload public class var shared: URLSession {
        SimulatedDevices.currentProcess?.sharedSession ?? .system
    }

    @_disfavoredOverload public convenience init(configuration: URLSessionConfiguration) {
        self.init(phoneOf: SimulatedDevices.current, configuration, delegate: nil, queue: nil)
    }

    @_disfavoredOverload public convenience init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    ) {
        self.init(phoneOf: SimulatedDevices.current, configuration, delegate: delegate, queue: queue)
    }

    /// Makes a session whose callbacks run in the context of `device`, and which fails while the device is offline.
    @_spi(Simulation) public convenience init(
        phoneOf device: (any SimulatedDevice)?, _ configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)?, queue: OperationQueue?
    ) {
        guard let device else {
            self.init(system: configuration, delegate: delegate, queue: queue)
            return
        }
        let copy = configuration.copy() as? URLSessionConfiguration ?? configuration
        copy.protocolClasses = [OfflineURLProtocol.self] + (copy.protocolClasses ?? [])
        // Each callback runs in the context of the phone: on the queue that the app chose, else one at a time.
        let callbacks = WrappingOperationQueue(target: queue) { block in { SimulatedDevices.run(as: device, block) } }
        callbacks.maxConcurrentOperationCount = 1
        self.init(system: copy, delegate: delegate, queue: callbacks)
        device.made(self)
    }
}
