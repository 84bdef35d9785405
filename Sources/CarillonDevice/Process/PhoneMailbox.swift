import Dispatch
import Synchronization

/// Takes what comes from other threads (timers, apps, the network) to the phone on the main queue, and knows how much
/// of it has not arrived.
final class PhoneMailbox: Sendable {
    private let count = Mutex(0)
    private let phone = Mutex(WeakPhone(phone: nil))

    private struct WeakPhone: Sendable {
        weak let phone: Phone?
    }

    @MainActor func open(for phone: Phone) { self.phone.withLock { $0 = WeakPhone(phone: phone) } }

    var isEmpty: Bool { count.withLock { $0 == 0 } }

    func post(_ body: @escaping @MainActor @Sendable (Phone) -> Void) {
        count.withLock { $0 += 1 }
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                let phone = self.phone.withLock { $0.phone }
                if let phone { body(phone) }
                self.count.withLock { $0 -= 1 }
                phone?.changed(nil)
            }
        }
    }
}
