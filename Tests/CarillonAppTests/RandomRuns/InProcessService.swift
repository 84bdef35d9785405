import CarillonApp
import CarillonCore
import CarillonMessaging
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded

@testable import CarillonServer

/// The real push service in this process: its routes, its store on SQLite and its delivery worker.
///
/// It has neither a socket nor a task of its own: the test says when it sends.
final class InProcessService: Sendable {
    static let signInSecret = Data("a secret of thirty-two bytes, ok".utf8)
    static let topic = "com.example.host"

    let engine: SQLiteEngine
    let store: Store
    let app: AppReference
    private let responder: any HTTPResponder<ServiceRequestContext>
    private let worker: DeliveryWorker
    private let logger: Logger
    private let apiKey: String
    private let clock: any CarillonClock

    init(folder: URL, clock: any CarillonClock, sender: any NotificationSender) async throws {
        var logger = Logger(label: "system")
        logger.logLevel = .critical
        // Constant: random values must not depend on which of two phones' pushes is answered first.
        let random = RandomSource { count in [UInt8](repeating: 0x5a, count: count) }
        let engine = try SQLiteEngine(path: folder.appending(path: "service.sqlite").path)
        let store = Store(engine)
        let app = try await store.apps.put(AppSettings(topic: Self.topic), by: AuditActor("test"), at: clock.now)
            .reference
        let configuration = ServiceConfiguration(
            apps: [], signInSecret: Self.signInSecret, registrationLimits: .none)
        let keys = APIKeys(in: store.keys, clock: clock, random: random, by: AuditActor("test"))
        let service = ServiceContext(
            configuration: configuration, store: store, clock: clock, random: random, logger: logger)
        let published = service.publishing(store)
        let router = Router(context: ServiceRequestContext.self)
        router.add(middleware: ProblemMiddleware(routes: RouteTable(), lines: service.repeated))
        ServiceRoutes(service: service, store: published).add(ServiceRoutes.Group.allCases, to: router)
        responder = router.buildResponder()
        worker = DeliveryWorker(service: service, store: published.sending, sender: sender)
        apiKey = try await keys.make(name: "backend", scopes: [.send, .read], apps: [app]).key
        (self.engine, self.store) = (engine, store)
        self.app = app
        self.clock = clock
        self.logger = logger
    }

    /// A message of the only app.
    func message(_ id: MessageID) -> MessageReference { MessageReference(id, of: app.number) }

    func close() throws { try engine.close() }

    /// Sends all that is due; it is asked often, and mostly nothing is.
    func sendDue() async throws {
        guard let due = try await store.sending.nextDue(except: []), due <= clock.now else { return }
        await worker.sendAll()
    }

    /// Calls as a backend.
    @discardableResult
    func backend(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> ServiceResponse {
        try await respond(method, path, ["Authorization": "Bearer \(apiKey)"], try body?.encoded())
    }

    /// Returns the service's response to an app's request.
    func respond(to request: ServiceRequest) async throws -> ServiceResponse {
        try await respond(request.method, request.url.path, request.headers, request.body)
    }

    func signInToken(for user: String) throws -> String {
        let now = clock.now
        return try SignInToken.make(
            user: user, topic: Self.topic, issued: now, expires: now + .seconds(300), secret: Self.signInSecret)
    }

    private func respond(
        _ method: String, _ path: String, _ headers: [String: String], _ body: Data?
    ) async throws -> ServiceResponse {
        var fields = HTTPFields()
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        let method = HTTPRequest.Method(method) ?? .get
        let request = Request(
            head: HTTPRequest(method: method, scheme: "http", authority: "service", path: path, headerFields: fields),
            body: RequestBody(buffer: ByteBuffer(bytes: body ?? Data())))
        let context = ServiceRequestContext(
            source: ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger))
        let response = try await responder.respond(to: request, context: context)
        let collected = Collected()
        try await response.body.write(Collector(collected: collected))
        return ServiceResponse(
            status: Int(response.status.code), body: collected.data,
            problem: HTTPField.Name(ProblemDocument.header).flatMap { response.headers[$0] },
            retryAfter: response.headers[.retryAfter])
    }

    /// `@unchecked`: filled by the one task that reads it afterwards.
    private final class Collected: @unchecked Sendable { var data = Data() }

    private struct Collector: ResponseBodyWriter {
        let collected: Collected
        mutating func write(_ buffer: ByteBuffer) async throws {
            collected.data.append(contentsOf: buffer.readableBytesView)
        }
        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}
