import Foundation

extension NotificationCenter {
    /// Returns the notifications posted from now on, one after another.
    ///
    /// - Parameters:
    ///   - name: the name of the notifications.
    ///   - object: the posting object; `nil`, the default, means any object.
    /// - Returns: a sequence that ends when its task is cancelled.
    @available(iOS 15, *)
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
        Notifications(name: name, object: object, center: self)
    }

    /// A sequence of notifications as they are posted.
    /// [NotificationCenter.Notifications](https://developer.apple.com/documentation/foundation/notificationcenter/notifications)
    @available(iOS 15, *)
    public final class Notifications: AsyncSequence, @unchecked Sendable {  // `@unchecked`: immutable
        public typealias Element = Notification

        private let posted: AsyncStream<Posted>

        /// A posted notification, on its way to the reader of the sequence.
        ///
        /// `@unchecked`: Foundation, too, passes a notification to other threads although `Notification` is not Sendable.
        fileprivate struct Posted: @unchecked Sendable { let notification: Notification }
        /// An observer and its center, kept for removing the observer when the sequence ends.
        ///
        /// `@unchecked`: any thread may use the center, and the observer is only handed back to the center.
        private struct Observation: @unchecked Sendable {
            let observer: any NSObjectProtocol
            let center: NotificationCenter
        }

        fileprivate init(name: Notification.Name, object: AnyObject?, center: NotificationCenter) {
            let (posted, continuation) = AsyncStream.makeStream(of: Posted.self)
            let observer = center.addObserver(forName: name, object: object, queue: nil) {
                continuation.yield(Posted(notification: $0))
            }
            let observation = Observation(observer: observer, center: center)
            continuation.onTermination = { _ in observation.center.removeObserver(observation.observer) }
            self.posted = posted
        }

        public func makeAsyncIterator() -> Iterator { Iterator(base: posted.makeAsyncIterator()) }

        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var base: AsyncStream<Posted>.Iterator

            public mutating func next() async -> Notification? { await base.next()?.notification }
        }
    }
}
