import Dispatch
import GRDB

@testable import CarillonServer

extension Checkpoints {
    /// Returns when the copying that was begun before has ended.
    func settled() async throws {
        // The connections take their turns in order; a copying that ends between commits goes on from one to the other.
        try await queue.writeWithoutTransaction { _ in }
        try await pool.writeWithoutTransaction { _ in }
    }

    /// Keeps the connection that copies busy while `body` runs.
    func holding(_ body: () async throws -> Void) async throws {
        let gate = DispatchSemaphore(value: 0)
        queue.asyncWriteWithoutTransaction { _ in gate.wait() }
        defer { gate.signal() }
        try await body()
    }
}
