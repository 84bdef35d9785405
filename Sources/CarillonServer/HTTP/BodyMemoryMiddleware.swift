import HTTPTypes
import Hummingbird

/// Refuses a request with 503 if its body and the bodies of current requests would exceed the limit of ``BodyMemory``.
struct BodyMemoryMiddleware: RouterMiddleware {
    let memory: BodyMemory

    func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        let bytes = Self.bytes(of: request)
        guard bytes > 0 else { return try await next(request, context) }
        guard memory.take(bytes) else { throw Problem.bodiesFillMemory }
        defer { memory.giveBack(bytes) }
        return try await next(request, context)
    }

    /// Returns the number of bytes to reserve in ``BodyMemory`` for a request's body.
    private static func bytes(of request: Request) -> Int {
        let largest = max(ServiceLimits.appBodyBytes, ServiceLimits.backendBodyBytes)
        guard request.headers[.transferEncoding] == nil else { return largest }
        return min(largest, request.headers[.contentLength].flatMap { Int($0) } ?? 0)
    }
}
