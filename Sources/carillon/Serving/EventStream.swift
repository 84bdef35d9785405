import CommandSupport
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An answer of a service that goes on, as it comes.
final class EventStream: NSObject, URLSessionDataDelegate {
    /// A part of the answer.
    enum Part: Sendable {
        /// The status, which comes first.
        case status(Int)
        case bytes(Data)
    }

    let parts: AsyncThrowingStream<Part, any Error>
    private let continuation: AsyncThrowingStream<Part, any Error>.Continuation

    override init() {
        (parts, continuation) = AsyncThrowingStream.makeStream(of: Part.self)
        super.init()
    }

    /// Asks for the answer; ``parts`` ends with it, or with the error of the connection.
    func begin(_ request: URLRequest) {
        let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
        continuation.onTermination = { _ in session.invalidateAndCancel() }
        session.dataTask(with: request).resume()
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        continuation.yield(.status((response as? HTTPURLResponse)?.statusCode ?? 0))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        continuation.yield(.bytes(data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        continuation.finish(throwing: error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        ChallengeRefusal().urlSession(
            session, task: task, didReceive: challenge, completionHandler: completionHandler)
    }
}

extension ServiceOptions {
    /// Reads the app's events as they happen, until the connection ends.
    ///
    /// - Parameters:
    ///   - query: the parameters of `GET /v1/events`.
    ///   - last: the id of the event after which they begin; `nil` for what the query says.
    ///   - body: takes each event.
    /// - Throws: ``Refusal`` if the service refuses the call, the errors of `body`, and those of the connection.
    func events(
        _ query: [String: String?], after last: String?, _ body: (StreamedEvent) throws -> Void
    ) async throws {
        var request = try request("GET", "/v1/events", query)
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        if let last { request.setValue(last, forHTTPHeaderField: "Last-Event-ID") }
        let stream = EventStream()
        stream.begin(request)
        var (status, refusal, events) = (0, Data(), StreamedEvents())
        for try await part in stream.parts {
            switch part {
            case .status(let number): status = number
            case .bytes(let data) where status == 200: for event in events.add(data) { try body(event) }
            case .bytes(let data): refusal += data
            }
        }
        guard status == 200 else {
            throw Refusal(status: status, call: RefusedCall(refusal: refusal, status: status))
        }
    }

    /// The service has refused a stream.
    struct Refusal: Error {
        let status: Int
        let call: RefusedCall

        /// Whether the call may succeed later as it is.
        var isPassing: Bool { status == 429 || status >= 500 }
    }
}
