import CarillonCore
import Foundation
import Logging
import ServiceLifecycle
import TestSupport

@testable import CarillonServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A service on a free port of loopback, with a clock that stands still unless the machine's is asked for, for as long as
/// `body` runs.
struct RunningService: Sendable {
    static let signInSecret = Data("a secret of thirty-two bytes, ok".utf8)

    let service: CarillonService
    let store: Store
    let sender: RecordingSender
    let clock: ManualClock
    let keys: APIKeys
    let key: String
    var base: URL

    static func run<Value: Sendable>(
        sender: RecordingSender = RecordingSender(), store: Store? = nil,
        roles: Set<ServiceConfiguration.Role> = [.api, .sender], limits: RegistrationLimiter.Limits = .none,
        calls: CallLimiter.Limits = .none, connections: ConnectionLimits = ConnectionLimits(),
        times: ConnectionTimes = ConnectionTimes(), bodies: Int = ServiceLimits.bodiesInMemory,
        clock: ManualClock = ManualClock(start: noon), backlog: Int = ServiceLimits.backlog,
        operators: ServiceConfiguration.ListenAddress? = nil, isReal: Bool = false,
        poll: Duration = DeliveryLimits.pollInterval, signInSecret: Data? = Self.signInSecret, logger: Logger? = nil,
        routes: (CarillonService) -> Void = { _ in }, configure: (inout ServiceConfiguration) -> Void = { _ in },
        _ body: @Sendable (RunningService) async throws -> Value
    ) async throws -> Value {
        let ownStore = try await StoreEngine.sqlite.make()
        let store = store ?? ownStore
        let clock = isReal ? ManualClock(start: SystemClock().now) : clock
        let time: any CarillonClock = isReal ? SystemClock() : clock
        let random = RandomSource.seeded(42)
        let keys = APIKeys(in: store.keys, clock: clock, random: .system, by: AuditActor("test"))
        let key = try await keys.make(name: "test", scopes: [.send, .read, .users], apps: [chime]).key
        var quiet = Logger(label: "test")
        quiet.logLevel = .critical
        let logger = logger ?? quiet
        var configuration = ServiceConfiguration(
            apps: [AppSettings(topic: topic)], signInSecret: signInSecret, roles: roles, port: 0,
            leaseDuration: isReal ? .seconds(3600) : ServiceConfiguration.standardLease, pollInterval: poll,
            registrationLimits: limits, callLimits: calls, connectionLimits: connections, backlogLimit: backlog)
        configuration.connectionTimes = times
        configuration.operators = operators
        configuration.bodiesInMemory = bodies
        configure(&configuration)
        let service = try CarillonService(
            configuration: configuration,
            store: store, sender: sender, clock: time, random: random, logger: logger)
        routes(service)
        let group = ServiceGroup(configuration: .init(services: [service], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let port = try await roles.contains(.api) ? service.boundPort() : service.operatorPort()
            let base = URL(string: "http://127.0.0.1:\(port)")
            guard let base else { throw URLError(.badURL) }
            let running = RunningService(
                service: service, store: store, sender: sender, clock: clock, keys: keys, key: key, base: base)
            let result: Result<Value, any Error>
            do { result = .success(try await body(running)) } catch { result = .failure(error) }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return try result.get()
        }
    }

    struct Answer: Sendable {
        var status: Int
        var json: JSONValue
        var data: Data
        var contentType: String?
        var headers: [String: String]
    }

    func call(
        _ method: String, _ path: String, body: JSONValue? = nil, auth: String? = nil, headers: [String: String] = [:]
    ) async throws -> Answer {
        try await call(method, path, raw: try body?.encoded(), auth: auth, headers: headers)
    }

    /// - Parameter auth: what follows `Bearer`; the service's API key when nothing is said, none when empty.
    func call(
        _ method: String, _ path: String, raw: Data?, auth: String? = nil, headers: [String: String] = [:]
    ) async throws -> Answer {
        guard let url = URL(string: path, relativeTo: base) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = raw
        let auth = auth ?? key
        if !auth.isEmpty { request.setValue("Bearer \(auth)", forHTTPHeaderField: "Authorization") }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await ProgramSession.own.data(for: request)
        guard let http = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        let fields = http.allHeaderFields.reduce(into: [String: String]()) { fields, field in
            fields["\(field.key)".lowercased()] = "\(field.value)"
        }
        return Answer(
            status: http.statusCode, json: (try? JSONValue(parsing: data)) ?? .null, data: data,
            contentType: fields["content-type"], headers: fields)
    }
}

extension RunningService {
    /// Registers devices, and returns when all are confirmed.
    ///
    /// The service's own sender may check a token before the store's `enrol` can say that it is one.
    func enrol(_ devices: [NewDevice], at now: Timestamp) async throws {
        try await store.enrol(devices, at: now)
        for device in devices {
            while try await store.device(device.id)?.confirmed == nil { await Task.yield() }
        }
    }

    func connection() throws -> RawConnection { try RawConnection(port: base.port ?? 0) }
}
