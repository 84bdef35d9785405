import Foundation
@_spi(Simulation) import UserNotifications

/// A call of the app's code, on the queue that the app has chosen.
///
/// `@unchecked`: the compiler does not check such calls of Apple's CallKit either.
struct CallDelivery: @unchecked Sendable {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    /// - Parameter queue: the queue for the call; `nil` means the main queue, on which the phone already runs.
    func deliver(on queue: DispatchQueue?) {
        guard let queue, queue !== DispatchQueue.main else { return body() }
        queue.async { body() }
    }
}
