/// The outcomes of a sequence of notifications, in the order in which they become known.
///
/// The notifications are read only as fast as their outcomes are taken: whatever the length of the sequence, no more
/// than `window` of them are in memory. Each iterator reads the sequence from its beginning, and stops sending when it
/// is dropped or its task is cancelled.
///
/// ``APNsClient/send(contentsOf:window:deadline:)`` makes one; `for try await` reads it.
public struct APNsBatch<Notifications: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Notifications.Element == APNsNotification {
    /// A notification and its outcome.
    public typealias Element = APNsDelivery

    let client: APNsClient
    let notifications: Notifications
    let window: Int
    let deadline: Duration?

    /// Starts sending from the beginning of the sequence.
    ///
    /// - Returns: an iterator for one task.
    public func makeAsyncIterator() -> Iterator {
        Iterator(feed: BatchFeed(client: client, window: window, deadline: deadline), notifications: notifications)
    }

    /// Returns the outcomes of one pass; it stops sending when it is dropped or its task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
        private let feed: BatchFeed
        private let notifications: Notifications
        private var feeder: Feeder?
        /// Outcomes that were taken together, the next one at the end.
        private var taken: [APNsDelivery] = []

        init(feed: BatchFeed, notifications: Notifications) {
            self.feed = feed
            self.notifications = notifications
        }

        /// Returns the next outcome; `nil` after the last.
        ///
        /// - Parameter actor: the caller's actor. It is left only to wait: outcomes come many at a time, and a loop
        ///   on an actor, as in `main`, would otherwise change threads twice for each of them.
        /// - Returns: a notification with its outcome; they come in the order in which they become known.
        /// - Throws: the error of the sequence of notifications, once everything read before has its outcome;
        ///   `CancellationError` when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> APNsDelivery? {
            try Task.checkCancellation()
            if feeder == nil {
                let (feed, notifications) = (feed, notifications)
                feeder = Feeder(feed: feed, task: Task { await feed.run(notifications) })
            }
            if let delivery = taken.popLast() { return delivery }
            guard var more = try await feed.next(isolation: actor) else { return nil }
            more.reverse()
            taken = more
            return taken.popLast()
        }
    }

    /// Owns the task that reads the notifications: it ends with the iterator.
    private final class Feeder: Sendable {
        let feed: BatchFeed
        let task: Task<Void, Never>

        init(feed: BatchFeed, task: Task<Void, Never>) {
            self.feed = feed
            self.task = task
        }

        deinit {
            task.cancel()
            feed.stop()
        }
    }
}

extension APNsClient {
    /// Sends every notification of a sequence and returns their outcomes as they come, in bounded memory.
    ///
    /// - Parameters:
    ///   - notifications: read only as fast as outcomes are taken.
    ///   - window: the most notifications in progress or with an outcome that was not taken yet; at least 1.
    ///     The default is 2000.
    ///   - deadline: the time limit of each notification, from when it is read. The default is the configuration's.
    /// - Returns: a sequence that sends when it is iterated.
    public func send<Notifications: AsyncSequence & Sendable>(
        contentsOf notifications: Notifications, window: Int = 2000, deadline: Duration? = nil
    ) -> APNsBatch<Notifications> where Notifications.Element == APNsNotification {
        APNsBatch(client: self, notifications: notifications, window: max(1, window), deadline: deadline)
    }
}
