import Hummingbird
import NIOCore

/// Counts the bodies of calls in ``BodyMemory`` while they come, and refuses a call with 503 if there is no room for its body.
struct BodyMemoryMiddleware: RouterMiddleware {
    let service: ServiceContext

    func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        let hasBody = request.headers[.transferEncoding] != nil || (request.headers[.contentLength] ?? "0") != "0"
        guard hasBody else { return try await next(request, context) }
        let client = ClientAddress.of(request, peer: context.peer, proxies: service.proxies.withLock { $0 })
        let count = BodyCount(of: BodyMemory.Body(network: client?.network), in: service.bodies)
        defer { count.end() }
        var request = request
        request.body = RequestBody(asyncSequence: CountedBody(body: request.body, count: count))
        return try await BodyCount.$current.withValue(count) { try await next(request, context) }
    }
}

/// A body whose bytes are counted when they come.
private struct CountedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let body: RequestBody
    let count: BodyCount

    struct AsyncIterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        let count: BodyCount

        mutating func next() async throws -> ByteBuffer? {
            guard let piece = try await base.next() else { return nil }
            guard count.received(piece.readableBytes) else { throw Problem.bodiesFillMemory }
            return piece
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: body.makeAsyncIterator(), count: count) }
}
