import CarillonCore
import Foundation
import Synchronization

/// A cache of the contents of recently sent messages, at most ``DeliveryLimits/keptContents``.
///
/// An entry's key contains everything that determines the content, so an entry is never out of date. The message's number cannot
/// serve as the key: after a rollback, another message may get that number.
package final class MessageContents: Sendable {
    /// The key of a cached content.
    struct Name: Hashable {
        let message: MessageReference
        let revision: Int
        /// The fingerprint of the request that sent the message; empty once the message's content was erased.
        ///
        /// The fingerprint is part of the cache's key. After an erasure the key is another one, so the cache no longer finds the
        /// original content.
        let fingerprint: Data
    }

    /// The cached contents in two halves, so that the cache stays bounded.
    ///
    /// A content that is used moves to `recent`. When `recent` is full, it becomes `former`, and the cache drops the contents
    /// that were left in `former`.
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

    /// Returns the cached content with this key, or makes it.
    ///
    /// - Parameters:
    ///   - name: the key.
    ///   - make: a closure that makes the content if the cache does not have it.
    /// - Returns: the content.
    /// - Throws: the errors of `make`.
    func content(_ name: Name, orElse make: () throws -> MessageContent) rethrows -> MessageContent {
        if let content = known.withLock({ $0.find(name) }) { return content }
        let content = try make()
        known.withLock { $0.keep(content, as: name) }
        return content
    }
}
