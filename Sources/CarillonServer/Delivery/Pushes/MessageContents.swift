import CarillonCore
import Foundation
import Synchronization

/// The contents of messages that were sent lately, kept from one call to the next: ``DeliveryLimits/keptContents`` at most.
///
/// A content is found by a name that covers all that is in it, so it is never out of date. A message's number would not do:
/// after a transaction that was undone, the number may be another message's.
package final class MessageContents: Sendable {
    /// The name of a content.
    struct Name: Hashable {
        let message: MessageReference
        let revision: Int
        /// The fingerprint of the request; it is empty once the content is erased, so the erased content has another name.
        let fingerprint: Data
    }

    /// The contents in two halves, so that a content in use stays while others come and go.
    private struct Halves {
        var recent: [Name: MessageContent] = [:]
        var former: [Name: MessageContent] = [:]

        mutating func find(_ name: Name) -> MessageContent? {
            if let content = recent[name] { return content }
            guard let content = former.removeValue(forKey: name) else { return nil }
            keep(content, as: name)
            return content
        }

        mutating func keep(_ content: MessageContent, as name: Name) {
            if recent.count >= DeliveryLimits.keptContents / 2 { (recent, former) = ([:], recent) }
            recent[name] = content
        }
    }

    private let known = Mutex(Halves())

    /// Returns the content with a name.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - make: makes the content if it is not known.
    /// - Returns: the content.
    /// - Throws: the errors of `make`.
    func content(_ name: Name, orElse make: () throws -> MessageContent) rethrows -> MessageContent {
        if let content = known.withLock({ $0.find(name) }) { return content }
        let content = try make()
        known.withLock { $0.keep(content, as: name) }
        return content
    }
}
