import HTTPTypes
import Hummingbird
import Synchronization

/// The bound on the bytes of request bodies that all calls together hold in memory.
///
/// A call counts with the length that it announces, or with the largest that a call may have if it announces none.
final class BodyMemory: Sendable {
    private let limit: Int
    private let held = Mutex(0)

    /// - Parameter limit: the greatest number of bytes.
    init(limit: Int) { self.limit = limit }

    /// Counts a body, if there is room for it.
    ///
    /// - Returns: whether there is room. If so, the caller must call ``giveBack(_:)`` when its call has ended.
    func take(_ bytes: Int) -> Bool {
        held.withLock { held in
            guard held + bytes <= limit else { return false }
            held += bytes
            return true
        }
    }

    func giveBack(_ bytes: Int) { held.withLock { $0 -= bytes } }

    /// Returns the number of bytes with which a request counts.
    static func bytes(of request: Request) -> Int {
        let largest = max(ServiceLimits.appBodyBytes, ServiceLimits.backendBodyBytes)
        guard request.headers[.transferEncoding] == nil else { return largest }
        return min(largest, request.headers[.contentLength].flatMap { Int($0) } ?? 0)
    }
}

/// Refuses a request with 503 while the bodies of others fill the memory for bodies.
struct BodyMemoryMiddleware: RouterMiddleware {
    let memory: BodyMemory

    func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        let bytes = BodyMemory.bytes(of: request)
        guard bytes > 0 else { return try await next(request, context) }
        guard memory.take(bytes) else { throw Problem.bodiesFillMemory }
        defer { memory.giveBack(bytes) }
        return try await next(request, context)
    }
}
