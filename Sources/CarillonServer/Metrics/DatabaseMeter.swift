import CarillonCore
import CoreMetrics
import Synchronization

/// Measures the transactions of one database engine.
///
/// The meter begins to measure when ``report(to:)`` is called, because an engine is opened before the service's metrics exist.
package final class DatabaseMeter: Sendable {
    /// The times at which one writing transaction was asked for and began, on the monotonic clock.
    struct Transaction {
        /// The time at which the transaction was asked for.
        var asked: Duration
        /// The time at which the transaction began, after a wait for the database's lock; `nil` if it never began.
        var began: Duration?
    }

    private struct Instruments {
        let writes: DurationHistogram
        let reads: DurationHistogram
        let failedWrites: Counter
        let failedReads: Counter
        let lockWait: DurationHistogram
        let connectionWait: DurationHistogram
    }

    private let instruments = Mutex<Instruments?>(nil)
    /// The time at which the present writing transaction was asked for, on the monotonic clock; `nil` if none is under way.
    private let writer = Mutex<Duration?>(nil)
    let clock: any CarillonClock

    /// Makes a meter.
    ///
    /// - Parameter clock: the clock that measures. The default is the machine's.
    package init(clock: any CarillonClock = SystemClock()) { self.clock = clock }

    var uptime: Duration { clock.uptime }

    /// Creates the meter's metrics with `factory`; from now on, the meter counts transactions.
    func report(to factory: any MetricsFactory) {
        let made = Instruments(
            writes: DurationHistogram(MetricCatalogue.transaction, "write", in: factory),
            reads: DurationHistogram(MetricCatalogue.transaction, "read", in: factory),
            failedWrites: Counter(MetricCatalogue.failedTransactions, "write", in: factory),
            failedReads: Counter(MetricCatalogue.failedTransactions, "read", in: factory),
            lockWait: DurationHistogram(MetricCatalogue.lockWait, in: factory),
            connectionWait: DurationHistogram(MetricCatalogue.connectionWait, in: factory))
        instruments.withLock { $0 = made }
    }

    /// The time for which the present writing transaction has been waited for; `nil` if none is under way.
    var writerWait: Duration? { writer.withLock { $0 }.map { uptime - $0 } }

    /// Records that a writing transaction was asked for at this time.
    func writerIsAsked(at moment: Duration) { writer.withLock { $0 = moment } }

    /// Records that the writing transaction has ended, with or without success.
    func writerHasAnswered() { writer.withLock { $0 = nil } }

    /// Counts a writing transaction that has ended now.
    func wrote(_ transaction: Transaction, failed: Bool) {
        guard let instruments = instruments.withLock({ $0 }) else { return }
        let now = uptime
        instruments.lockWait.record((transaction.began ?? now) - transaction.asked)
        if let began = transaction.began { instruments.writes.record(now - began) }
        if failed { instruments.failedWrites.increment() }
    }

    /// Counts a reading transaction that has ended now.
    ///
    /// - Parameters:
    ///   - asked: the time at which the transaction was asked for, on the monotonic clock.
    ///   - began: the time at which the transaction got a connection and a snapshot, on the monotonic clock.
    func read(askedAt asked: Duration, beganAt began: Duration) {
        guard let instruments = instruments.withLock({ $0 }) else { return }
        instruments.connectionWait.record(began - asked)
        instruments.reads.record(uptime - began)
    }

    /// Counts a reading transaction that got no connection, or that ended with an error.
    func failedToRead() { instruments.withLock { $0 }?.failedReads.increment() }
}
