import CarillonApp
import CarillonCore
import CarillonMessaging
import Foundation
import Synchronization

extension DeviceChange {
    /// Makes the change that the SDK reports when only the permission has changed.
    init(permission: PermissionState) { self.init(facts: ["permission": .string(permission.rawValue)]) }
}

/// The Carillon service, reduced to its answers: it records what it was asked, binds by sign-in token, and hands out
/// the removals and the number that the test gives it.
final class StubService: ServiceTransport {
    struct State {
        var requests: [ServiceRequest] = []
        var removals: [String] = []
        var unread: Int?
        /// The end of the device token to which it says that it sends; `nil` says nothing.
        var tokenEnd: String?
        var user: String?
        var isDown = false
        /// Requests arrive, and get no answer.
        var isMute = false
        /// The answers to the next requests, one each, of something between phone and service.
        var refusals: [Int] = []
        /// The page with which something in between refuses.
        var page = ""
        /// The problems for which the service itself refuses the next requests, one each.
        var problems: [Problem] = []
        /// The message whose receipts and reads the service refuses, and with them the whole request.
        var refusedMessage: String?
        /// The header `Retry-After` of refusals.
        var retryAfter: String?
        var receipts: [Receipt] = []
        var inbox: [InboxMessage] = []
        var read: [MessageRevision] = []
        /// The newest states of Live Activities.
        var states: [LiveActivityStates.State] = []
    }

    struct Problem {
        var status: Int
        var name: String
    }

    private let state = Mutex(State())
    private let clock: any CarillonClock
    /// Added to the clock: the service is right and the phone is wrong.
    let lead: Duration

    init(clock: any CarillonClock, lead: Duration = .zero) {
        self.clock = clock
        self.lead = lead
    }

    subscript<Value: Sendable>(path: any WritableKeyPath<State, Value> & Sendable) -> Value {
        get { state.withLock { $0[keyPath: path] } }
        set { state.withLock { $0[keyPath: path] = newValue } }
    }

    /// "METHOD path", in order, with the installation's id replaced.
    var calls: [String] {
        self[\.requests].map { request in
            let parts = request.url.path.split(separator: "/").map { $0.count == 32 ? "ID" : String($0) }
            return "\(request.method) /\(parts.joined(separator: "/"))"
        }
    }

    /// "event message", in the order in which they arrived.
    var receipts: [String] {
        self[\.receipts].map { receipt in
            [receipt.event.rawValue, receipt.message.rawValue, receipt.detail].compactMap { $0 }.joined(separator: " ")
        }
    }

    var registrations: [Registration] {
        self[\.requests].filter { $0.method == "POST" && $0.url.path == "/v1/devices" }
            .compactMap { try? CarillonJSON.decode(Registration.self, from: $0.body ?? Data()) }
    }

    /// The changes that the SDK sent by `PATCH`, in order.
    var changes: [DeviceChange] {
        self[\.requests].filter { $0.method == "PATCH" }
            .compactMap { try? CarillonJSON.decode(DeviceChange.self, from: $0.body ?? Data()) }
    }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        if self[\.isDown] { throw OfflineError() }
        let refusal = state.withLock { state -> Int? in
            state.requests.append(request)
            return state.refusals.isEmpty ? nil : state.refusals.removeFirst()
        }
        if self[\.isMute] {
            for await _ in AsyncStream<Never>.makeStream().stream {}
            throw OfflineError()
        }
        if let refusal {
            return ServiceResponse(
                status: refusal, body: Data(self[\.page].utf8), retryAfter: self[\.retryAfter])
        }
        if let problem = state.withLock({ $0.problems.isEmpty ? nil : $0.problems.removeFirst() }) {
            return try refused(problem)
        }
        if let message = self[\.refusedMessage],
            String(decoding: request.body ?? Data(), as: UTF8.self).contains(message)
        {
            return try refused(Problem(status: 422, name: "invalid-value"))
        }
        switch (request.method, request.url.lastPathComponent) {
        case ("POST", "devices"): return try register(request)
        case ("POST", "receipts"):
            let batch = try CarillonJSON.decode(ReceiptBatch.self, from: request.body ?? Data())
            state.withLock { state in
                let known = Set(state.receipts.map(\.id))
                state.receipts += batch.receipts.filter { !known.contains($0.id) }
                let confirmed = Set(batch.receipts.filter { $0.event == .recalled }.map(\.message.rawValue))
                state.removals.removeAll { confirmed.contains($0) }
            }
            return try answer(sync)
        case ("GET", "inbox"):
            return try answer(InboxAnswer(messages: self[\.inbox], unread: self[\.unread] ?? 0, next: nil))
        case ("POST", "live-activities"): return try answer(LiveActivityStates(liveActivities: self[\.states]))
        case ("POST", "read"):
            let body = try CarillonJSON.decode([String: [MessageRevision]].self, from: request.body ?? Data())
            state.withLock { $0.read += body["messages"] ?? [] }
            return try answer(sync)
        case ("PATCH", let installation):
            let change = try CarillonJSON.decode(DeviceChange.self, from: request.body ?? Data())
            if let token = change.signInToken { self[\.user] = token }
            return try answer(RegistrationAnswer(device: installation, user: self[\.user], sync: sync))
        case ("DELETE", "user"):
            self[\.user] = nil
            // Nobody has unread messages.
            if self[\.unread] != nil { self[\.unread] = 0 }
            return try answer(sync)
        default: return try answer(sync)
        }
    }

    private func refused(_ problem: Problem) throws -> ServiceResponse {
        let document = ProblemDocument(
            type: ProblemDocument.typePrefix + problem.name, title: "title", status: problem.status, detail: "detail")
        return ServiceResponse(
            status: problem.status, body: try CarillonJSON.encode(document), problem: problem.name,
            retryAfter: self[\.retryAfter])
    }

    private func register(_ request: ServiceRequest) throws -> ServiceResponse {
        let registration = try CarillonJSON.decode(Registration.self, from: request.body ?? Data())
        if let token = registration.signInToken { self[\.user] = token }
        return try answer(
            RegistrationAnswer(device: registration.installation, user: self[\.user], sync: sync))
    }

    private var sync: SyncAnswer {
        SyncAnswer(
            now: clock.now + lead, removals: self[\.removals].compactMap(Removal.init(text:)), unread: self[\.unread],
            tokenEnd: self[\.tokenEnd])
    }

    private func answer(_ value: some Encodable) throws -> ServiceResponse {
        ServiceResponse(status: 200, body: try CarillonJSON.encode(value))
    }
}
