import CarillonCore
import CarillonMessaging
import Foundation
import UserNotifications  // On a simulated phone, for its own `Task`: what is under way is counted.

/// Carries out the store's file work in the order of the calls: off the main actor while the app is in front, else at once.
///
/// A slow disk must not delay an app that the person is looking at. In the background iOS may suspend the app as soon as the
/// main actor is idle, so there the work is done before the call returns.
@MainActor
final class StoreDisk {
    private let files: any StoreFiles
    private let isInFront: @MainActor () -> Bool
    private let line = FileWorkLine()
    private var ends: [End] = []

    /// The part of a piece of work that runs on the main actor, after its file work.
    private struct End {
        let isDue: () -> Bool
        let run: @MainActor () -> Void
    }

    /// - Parameters:
    ///   - files: the installation's files.
    ///   - isInFront: whether the person may be looking at the app.
    init(_ files: any StoreFiles, isInFront: @escaping @MainActor () -> Bool) {
        self.files = files
        self.isInFront = isInFront
    }

    /// Carries out a piece of work after all earlier pieces.
    ///
    /// - Parameters:
    ///   - work: the file work.
    ///   - end: called on the main actor with the work's result, in the order of the calls.
    func perform<Value: Sendable>(
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
        guard isInFront() else { return carryOut() }
        Task { await finish() }
    }

    /// Returns when all file work that was begun is done.
    func finish() async {
        guard isInFront() else { return carryOut() }
        await Self.carryOut(line)
        runEnds()
    }

    /// Carries out all waiting work before it returns, in front too.
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

/// Pieces of file work in a line: any thread may carry them out, one piece at a time and in order.
private final class FileWorkLine: Sendable {
    private let waiting = Guarded<[@Sendable () -> Void]>([])
    /// Held while a piece is carried out.
    private let turn = NSLock()

    func add(_ piece: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(piece) } }

    /// Carries out all waiting pieces; returns when no piece is under way on another thread either.
    func carryOut() {
        turn.withLock {
            while let piece = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { piece() }
        }
    }
}
