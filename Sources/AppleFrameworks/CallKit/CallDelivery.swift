import Foundation
@_spi(Simulation) import UserNotifications

/// A callback into the app's code, which runs on the queue that the app has chosen.
///
/// `@unchecked`: Apple's CallKit, too, runs callbacks that are not Sendable on that queue.
struct CallDelivery: @unchecked Sendable {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    /// Runs the callback.
    ///
    /// - Parameter queue: the queue on which the callback runs. If it is `nil` or the main queue, the callback runs before this
    ///   method returns, because the simulated phone calls this method on the main queue.
    func deliver(on queue: DispatchQueue?) {
        guard let queue, queue !== DispatchQueue.main else { return body() }
        queue.async { body() }
    }
}
