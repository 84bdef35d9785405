import CarillonCore
import Synchronization

/// The templates of pushes that go to many devices, kept from one claim to the next.
///
/// A template is found by its whole content, so it is never out of date.
package final class PushTemplates: Sendable {
    private struct Name: Hashable {
        var content: ClaimedContent
        var purpose: PushPurpose
        var revision: Int
        var hasUnread: Bool
    }

    private let known = Mutex<[Name: PushTemplate]>([:])

    /// Returns the template of a push; `nil` if the push must be composed by itself.
    func template(for push: ClaimedDelivery) -> PushTemplate? {
        guard let content = push.content else { return nil }
        let name = Name(
            content: content, purpose: push.purpose, revision: push.revision, hasUnread: push.unread != nil)
        if let template = known.withLock({ $0[name] }) { return template }
        guard let template = PushTemplate(push) else { return nil }
        known.withLock { known in
            if known.count >= DeliveryLimits.keptTemplates { known = [:] }
            known[name] = template
        }
        return template
    }
}
