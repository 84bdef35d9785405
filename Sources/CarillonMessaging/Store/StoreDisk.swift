import CarillonCore
import Foundation
import UserNotifications  // For its own `Task` initializers on a simulated phone, which track running work.

/// A queue for the store's file work: in the foreground the work is done off the main actor, in the background before the call
/// returns.
///
/// A slow disk must not delay an app that the person is looking at. In the background, iOS may suspend the app as soon as the
/// main actor is idle, so the work is done before the call returns.
@MainActor
final class StoreDisk {
    private let files: any StoreFiles
    private let isInFront: @MainActor () -> Bool
    private let line = FileWorkLine()
    private var ends: [End] = []

    /// The completion handler of file work; it runs on the main actor, unlike the file work itself.
    private struct End {
        let isDue: () -> Bool
        let run: @MainActor () -> Void
    }

    /// Makes an empty queue of file work.
    ///
    /// - Parameters:
    ///   - files: the installation's files.
    ///   - isInFront: returns whether the person may be looking at the app.
    init(_ files: any StoreFiles, isInFront: @escaping @MainActor () -> Bool) {
        self.files = files
        self.isInFront = isInFront
    }

    /// Carries out work on the installation's files, after all work that was requested earlier.
    ///
    /// - Parameters:
    ///   - work: the file work.
    ///   - end: called on the main actor with the work's result, in the order of the calls.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (any StoreFiles) -> Value, then end: @escaping @MainActor (Value) -> Void
    ) {
        add(work, then: end)
        guard isInFront() else { return carryOut() }
        Task { await finish() }
    }

    private func add<Value: Sendable>(
        _ work: @escaping @Sendable (any StoreFiles) -> Value, then end: @escaping @MainActor (Value) -> Void
    ) {
        let result = Guarded<Value?>(nil)
        line.add { [files] in
            let value = work(files)
            result.withLock { $0 = value }
        }
        ends.append(
            End(
                isDue: { result.withLock { $0 != nil } }, run: { if let value = result.withLock(\.self) { end(value) } }
            ))
    }

    /// Waits until all file work that was requested so far is done.
    func finish() async {
        guard isInFront() else { return carryOut() }
        await Self.carryOut(line)
        runEnds()
    }

    /// Waits until all file work that was requested so far is done, then runs `next`, and returns when `next` has returned.
    ///
    /// In the foreground, several calls may wait at the same time. Their closures begin in the order of the calls, whereas the
    /// callers of ``finish()`` may continue in any order.
    ///
    /// - Parameter next: cancelled when the caller's task is cancelled.
    func finish(then next: @escaping @MainActor () async -> Void) async {
        var task: Task<Void, Never>?
        // The main actor runs new tasks in the order in which they were made.
        add({ _ in }, then: { task = Task { await next() } })
        await finish()
        guard let task else { return }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Carries out all waiting file work before it returns, even while the app is in the foreground.
    func carryOut() {
        line.carryOut()
        runEnds()
    }

    private func runEnds() {
        while let first = ends.first, first.isDue() {
            ends.removeFirst()
            first.run()
        }
    }

    @concurrent private nonisolated static func carryOut(_ line: FileWorkLine) async { line.carryOut() }
}

/// A queue of work on files: any thread may carry out the queued work, one closure at a time and in order.
private final class FileWorkLine: Sendable {
    private let waiting = Guarded<[@Sendable () -> Void]>([])
    /// The lock that a thread holds while it carries out the queued work.
    private let turn = NSLock()

    func add(_ piece: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(piece) } }

    /// Carries out all queued work, after any work that another thread is carrying out.
    func carryOut() {
        turn.withLock {
            while let piece = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { piece() }
        }
    }
}
