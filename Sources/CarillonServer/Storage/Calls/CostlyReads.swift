import CarillonCore
import Synchronization

/// The apps' shares of the reads whose cost grows with what a backend asks.
///
/// One app's costly reads follow one another, and those of all apps together leave connections to the other reads.
struct ReadShares<Read: Sendable>: Sendable {
    /// The decision about a read that arrives.
    enum Arrival: Sendable {
        case runs
        case waits
        /// So many reads of the app wait already that this one does not.
        case isRefused
    }

    private var running: Set<AppNumber> = []
    private var waiting: [(app: AppNumber, read: Read)] = []

    /// Adds a read of an app.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - read: stands for the read if it has to wait.
    /// - Returns: whether the read runs now.
    mutating func arrived(_ app: AppNumber, _ read: Read) -> Arrival {
        if running.count < StoreLimits.costlyReads, !running.contains(app) {
            running.insert(app)
            return .runs
        }
        guard waiting.count(where: { $0.app == app }) < StoreLimits.waitingCostlyReads else { return .isRefused }
        waiting.append((app, read))
        return .waits
    }

    /// Records that an app's running read has ended.
    ///
    /// - Returns: the read that runs next; `nil` if none waits that may run.
    mutating func ended(_ app: AppNumber) -> Read? {
        running.remove(app)
        // An app that waits behind another app's reads goes before a further read of this app.
        let place =
            waiting.firstIndex { $0.app != app && !running.contains($0.app) }
            ?? waiting.firstIndex { !running.contains($0.app) }
        guard let place else { return nil }
        let next = waiting.remove(at: place)
        running.insert(next.app)
        return next.read
    }
}

/// Runs costly reads in their apps' shares (``ReadShares``).
final class CostlyReads: Sendable {
    private let shares = Mutex(ReadShares<CheckedContinuation<Void, any Error>>())

    /// Runs `body` when the app's share allows it.
    ///
    /// - Throws: the errors of `body`; ``ServiceError`` if too many reads of the app wait.
    func run<Value: Sendable>(for app: AppNumber, _ body: () async throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            switch shares.withLock({ $0.arrived(app, continuation) }) {
            case .runs: continuation.resume()
            case .waits: break
            case .isRefused:
                continuation.resume(
                    throwing: ServiceError(
                        .busy, "\(StoreLimits.waitingCostlyReads) counts of the app's audiences wait already"))
            }
        }
        defer { shares.withLock { $0.ended(app) }?.resume() }
        return try await body()
    }
}
