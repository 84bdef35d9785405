import Hummingbird
import NIOCore

/// Sends status 100 when the service is about to read the body of a request, if the client waits for that status.
///
/// If the service refuses a request earlier, for its key or its size, the client gets only the refusal ([RFC 9110
/// §10.1.1](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1)).
struct ContinueMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.expect] != nil else { return try await next(request, context) }
        var request = request
        request.body = RequestBody(asyncSequence: AwaitedBody(body: request.body, channel: context.channel))
        return try await next(request, context)
    }
}

/// A body that the client sends only after status 100.
private struct AwaitedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let body: RequestBody
    let channel: any Channel

    struct AsyncIterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        var channel: (any Channel)?

        mutating func next() async throws -> ByteBuffer? {
            if let channel {
                channel.triggerUserOutboundEvent(RequestGate.WantsBody(), promise: nil)
                self.channel = nil
            }
            return try await base.next()
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: body.makeAsyncIterator(), channel: channel)
    }
}
