import Foundation
@_spi(Simulation) import UserNotifications

/// A call of the app on the queue that it has chosen.
///
/// `@unchecked`: Apple's is as little checked.
struct CallDelivery: @unchecked Sendable {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    /// - Parameter queue: `nil` is the main queue, where the phone calls from.
    func deliver(on queue: DispatchQueue?) {
        guard let queue, queue !== DispatchQueue.main else { return body() }
        queue.async { body() }
    }
}
