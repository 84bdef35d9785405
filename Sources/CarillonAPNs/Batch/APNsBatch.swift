/// The outcomes of a sequence of notifications, in the order in which they become known.
///
/// The batch reads notifications only as fast as the caller takes outcomes: at most `window` notifications are in memory. Each
/// iterator reads the sequence from its beginning. An iterator stops sending when it is released or its task is cancelled.
///
/// ``APNsClient/send(contentsOf:window:deadline:)`` makes a batch; `for try await` reads its outcomes.
public struct APNsBatch<Notifications: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Notifications.Element == APNsNotification {
    /// A notification and its outcome.
    public typealias Element = APNsDelivery

    let client: APNsClient
    let notifications: Notifications
    let window: Int
    let deadline: Duration?

    /// Makes an iterator that sends from the beginning of the sequence.
    ///
    /// - Returns: an iterator for one task.
    public func makeAsyncIterator() -> Iterator {
        Iterator(feed: BatchFeed(client: client, window: window, deadline: deadline), notifications: notifications)
    }

    /// An iterator that sends the notifications in one pass and returns their outcomes.
    ///
    /// The iterator stops sending when it is released or its task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
        private let feed: BatchFeed
        private let notifications: Notifications
        private var feeder: Feeder?
        /// The outcomes that the ``BatchFeed`` returned last and the caller has not taken yet, in reverse order: the next one
        /// is last.
        private var taken: [APNsDelivery] = []

        init(feed: BatchFeed, notifications: Notifications) {
            self.feed = feed
            self.notifications = notifications
        }

        /// Returns the next outcome; `nil` after the last.
        ///
        /// - Parameter actor: the caller's actor. The method leaves the actor only if it must wait, so that a loop on an actor
        ///   (as in `main`) does not change threads twice for each outcome.
        /// - Returns: a notification with its outcome, in the order in which outcomes become known.
        /// - Throws: the error of the sequence, after the outcomes of all notifications read before; `CancellationError` if the
        ///   task is cancelled.
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

    /// An object that owns the task that reads the notifications.
    ///
    /// When the iterator is released, this object cancels the task and stops the batch.
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
    ///   - notifications: the notifications. The batch reads them only as fast as the caller takes outcomes.
    ///   - window: the greatest number of notifications that are in progress, or whose outcome has not been taken; at least 1.
    ///     The default is 2000.
    ///   - deadline: the time limit of each notification, counted from the moment at which the batch reads it. The default is
    ///     ``APNsConfiguration/defaultDeadline``.
    /// - Returns: a sequence that sends while the caller iterates over it.
    public func send<Notifications: AsyncSequence & Sendable>(
        contentsOf notifications: Notifications, window: Int = 2000, deadline: Duration? = nil
    ) -> APNsBatch<Notifications> where Notifications.Element == APNsNotification {
        APNsBatch(client: self, notifications: notifications, window: max(1, window), deadline: deadline)
    }
}
