import Foundation
@_spi(Simulation) import UserNotifications

/// Calls the app on the queue that it has chosen.
///
/// `@unchecked`: Apple's own calls are not checked either.
struct CallDelivery: @unchecked Sendable {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    /// - Parameter queue: `nil` means the main queue, from which the phone calls.
    func deliver(on queue: DispatchQueue?) {
        guard let queue, queue !== DispatchQueue.main else { return body() }
        queue.async { body() }
    }
}
