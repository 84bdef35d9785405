import CarillonAPNs
import CarillonCore
import Foundation
import Synchronization

/// Sends the notifications of a measurement through the client's public API.
struct ClientLoad: Sendable {
    /// An error that explains why the measurement cannot start.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let client: APNsClient
    let notifications: BenchNotifications
    /// Whether the device tokens are random, so that APNs rejects the token of every notification.
    let expectsRefusals: Bool
    let clock: any CarillonClock

    /// Opens all connections and sends the warm-up notifications.
    ///
    /// The function returns early if its task is cancelled.
    ///
    /// - Throws: ``Failure`` if the server rejects the notifications, or if too few connections are open.
    func prepare(connections: Int, streams: Int, count: Int) async throws {
        let first: APNsOutcome
        do {
            first = try await client.send(notifications[0])
        } catch {
            guard !Task.isCancelled else { return }
            throw Failure(description: error.description)
        }
        if case .rejected(let rejection) = first, !expectsRefusals || rejection.reason != .badDeviceToken {
            throw Failure(description: "the server rejects the notifications: \(rejection.status) \(rejection.reason)")
        }
        let deadline = clock.uptime + .seconds(10)
        repeat {
            await batch(max(count, 4 * connections * streams), streams: connections * streams)
        } while client.statistics.connections < connections && clock.uptime < deadline && !Task.isCancelled
        guard client.statistics.connections >= connections || Task.isCancelled else {
            throw Failure(
                description: "only \(client.statistics.connections) of \(connections) connections were opened")
        }
    }

    /// Sends the measured notifications.
    ///
    /// - Returns: the latencies, counted from the time at which each notification was due; `nil` without a fixed rate (`--rate`).
    func run(_ bench: BenchClientCommand) async -> LatencyHistogram? {
        let streams = bench.connections * bench.streams
        if let rate = bench.rate { return await paced(bench.count, rate: rate) }
        switch bench.api {
        case .send: await tasks(bench.count, streams: streams)
        case .batch: await batch(bench.count, streams: streams)
        }
        return nil
    }

    private func tasks(_ count: Int, streams: Int) async {
        let last = Numbers()
        await withDiscardingTaskGroup { group in
            for _ in 0..<min(streams, count) {
                group.addTask {
                    while !Task.isCancelled {
                        let number = last.next()
                        guard number <= count else { return }
                        _ = try? await client.send(notifications[number])
                    }
                }
            }
        }
    }

    /// Sends the notifications as one batch.
    ///
    /// - Parameters:
    ///   - count: the number of notifications to send.
    ///   - streams: the number of streams on all connections together. At most twice this number of notifications are in
    ///     progress, so that no stream waits for a notification.
    private func batch(_ count: Int, streams: Int) async {
        do {
            for try await _ in client.send(contentsOf: notifications.sequence(count: count), window: 2 * streams) {}
        } catch {
            // The task was cancelled. The client's statistics include the notifications sent so far.
        }
    }

    private func paced(_ count: Int, rate: Int) async -> LatencyHistogram {
        let latencies = Latencies()
        let start = clock.uptime
        let underWay = Numbers()
        await withDiscardingTaskGroup { group in
            var number = 0
            while number < count, !Task.isCancelled {
                let due = min(count, Int(seconds(clock.uptime - start) * Double(rate)))
                while number < due, underWay.count < CommandLimits.pacedSends {
                    number += 1
                    let (number, moment) = (number, start + .seconds(Double(number) / Double(rate)))
                    underWay.add(1)
                    group.addTask {
                        _ = try? await client.send(notifications[number])
                        latencies.record(clock.uptime - moment)
                        underWay.add(-1)
                    }
                }
                try? await clock.sleep(for: .milliseconds(1))
            }
        }
        return latencies.histogram
    }

    private func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    private final class Numbers: Sendable {
        private let value = Atomic(0)
        var count: Int { value.load(ordering: .relaxed) }
        func next() -> Int { value.add(1, ordering: .relaxed).newValue }
        func add(_ difference: Int) { value.add(difference, ordering: .relaxed) }
    }

    private final class Latencies: Sendable {
        private let state = Mutex(LatencyHistogram())
        var histogram: LatencyHistogram { state.withLock { $0 } }
        func record(_ latency: Duration) { state.withLock { $0.record(latency) } }
    }
}
