import Foundation
import FoundationNetworking
import _SystemFoundation

/// Replaces Foundation's ways to make and share a URL session, so that a session's callbacks know their simulated phone.
///
/// In the callbacks, `UNUserNotificationCenter.current()` and `UIApplication.shared` are those of the app whose code has made
/// the session.
///
/// A file gets these sessions if it imports UserNotifications or UIKit, and does not import FoundationNetworking. Code for
/// iOS never imports FoundationNetworking.
///
/// Differs from iOS: a file with a line `import FoundationNetworking` gets Foundation's own sessions. Their completion handlers
/// do not know their phone while several phones run in one program, and only the shared session's requests fail while the phone
/// is offline. A running request is not cancelled when the phone goes offline.
extension URLSession {
    // Disfavoured, because a file that imports FoundationNetworking could not distinguish these from Foundation's.

    /// The app's own session, whose requests end with the app; outside any phone, Foundation's shared session.
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

    /// Makes a session of the phone `device`, whose requests fail while the phone is offline.
    ///
    /// In the session's callbacks, ``SimulatedDevices/current`` is this phone.
    ///
    /// If `device` is `nil`, makes an ordinary Foundation session, which belongs to no phone.
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
