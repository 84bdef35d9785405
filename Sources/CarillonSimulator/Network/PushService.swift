import CarillonCore
import Foundation
import NIOCore
import NIOHPACK

/// Answers complete requests and delivers or stores their pushes; all connections share one service.
final class PushService: Sendable {
    let environment: APNsEnvironment
    let topics: Set<String>
    let headerRules: HeaderRules
    let tokens: TokenCache
    let devices: DeviceFleet
    let broadcasts: BroadcastService
    let faults: FaultInjector
    let journal: Journal
    let counters: Counters
    let clock: any CarillonClock
    let seed: UInt64
    /// The header that names the open doors; `nil` if no door is open.
    private let doors: RequestRecord.Header?

    init(
        configuration: SimulatorConfiguration, tokens: TokenCache, devices: DeviceFleet, faults: FaultInjector,
        journal: Journal, counters: Counters
    ) {
        environment = configuration.environment
        topics = configuration.topics
        headerRules = HeaderRules(isStrict: configuration.isStrict, takesAnyMDM: configuration.doors.contains(.mdm))
        doors = configuration.doors.header
        clock = configuration.clock
        seed = configuration.seed
        broadcasts = BroadcastService(enabledTopics: configuration.broadcastTopics ?? configuration.topics)
        self.tokens = tokens
        self.devices = devices
        self.faults = faults
        self.journal = journal
        self.counters = counters
    }

    func makeConnection(number: Int, certificate: ClientCertificate?) -> SenderConnection {
        SenderConnection(
            number: number,
            credential: ConnectionCredential(environment: environment, teamTopics: topics, certificate: certificate),
            generator: SeededGenerator(seed: seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95))
    }

    /// Performs all checks in their order, and delivers or stores a push that passes them.
    func reply(to request: IncomingRequest, on connection: inout SenderConnection) -> Reply {
        let now = clock.now
        let exchange = Exchange(
            request, generator: &connection.generator, isSandbox: environment == .sandbox, doors: doors)
        let decision = faults.decide(for: request.head)
        switch decision.fault {
        case nil, .loseAnswer:
            let answer = process(exchange, on: &connection, at: now)
            return Reply(ending: decision.fault == nil ? .answer(answer) : .silence, due: decision.due(at: now))
        case .reject(let reason):
            if reason == .expiredProviderToken {
                ConnectionCredential.expire(request.head.authorization, tokens: tokens)
            }
            let rejection = Rejection(
                reason, by: .fault, timestamp: reason.status == 410 ? now : nil,
                detail: "injected by the fault plan or a script")
            return Reply(
                ending: .answer(reject(exchange, rejection, on: connection.number, at: now)), due: decision.due(at: now)
            )
        case .answer(let status, let body):
            let answer = Answer(status: status, headers: exchange.headers, body: body.isEmpty ? nil : body)
            return fail(exchange, .answer(answer), decision, on: connection.number, at: now)
        case .loseRequest:
            return fail(exchange, .silence, decision, on: connection.number, at: now)
        case .reset(let code):
            return fail(exchange, .reset(code: code), decision, on: connection.number, at: now)
        case .cut:
            return fail(exchange, .cut, decision, on: connection.number, at: now)
        }
    }

    private func process(_ exchange: Exchange, on connection: inout SenderConnection, at now: Timestamp) -> Answer {
        do {
            let head = exchange.request.head
            if let route = try ChannelRoute.check(head) {
                return try broadcast(route, exchange, on: &connection, at: now)
            }
            let target = try RequestTarget.check(head)
            let sender = try identify(head, on: &connection, at: now)
            let payload = exchange.request.payload
            let push = try headerRules.check(head, sender: sender, payload: payload)
            let flaw = try BodyCheck.check(
                payload, byteCount: exchange.request.payloadByteCount, rule: push.rule, bundleID: push.bundleID,
                isStrict: headerRules.isStrict)
            let notes = [sender.note, push.note, flaw].compactMap(\.self)
            try devices.submit(push, to: target, id: exchange.id, payload: payload, in: environment) {
                record(exchange, .accepted, notes: notes, connection.number, at: now)
            }
            counters.count(.accepted)
            return Answer(status: 200, headers: exchange.headersOfAccepted)
        } catch {
            return reject(exchange, error, on: connection.number, at: now)
        }
    }

    private func broadcast(
        _ route: ChannelRoute, _ exchange: Exchange, on connection: inout SenderConnection, at now: Timestamp
    ) throws(Rejection) -> Answer {
        try RequestTarget.checkIdentity(exchange.request.head)
        let sender = try identify(exchange.request.head, on: &connection, at: now)
        let (answer, effect) = try broadcasts.answer(
            route, exchange, sender: sender, generator: &connection.generator)
        record(exchange, .accepted, notes: [sender.note].compactMap(\.self), connection.number, at: now)
        devices.carryOut(effect, id: exchange.id, payload: exchange.request.payload)
        counters.count(.accepted)
        return answer
    }

    private func identify(
        _ head: RequestHead, on connection: inout SenderConnection, at now: Timestamp
    ) throws(Rejection) -> SenderIdentity {
        let skewed = now + (faults.connectionPlan?.clockSkew ?? .zero)
        return try connection.credential.identify(head.authorization, tokens: tokens, at: skewed)
    }

    private func reject(_ exchange: Exchange, _ rejection: Rejection, on connection: Int, at now: Timestamp) -> Answer {
        record(exchange, .rejected(rejection), connection, at: now)
        counters.count(.rejected(rejection.reason))
        return Answer(status: rejection.status, headers: exchange.headers, body: rejection.body)
    }

    private func fail(
        _ exchange: Exchange, _ ending: Reply.Ending, _ decision: FaultInjector.Decision, on connection: Int,
        at now: Timestamp
    ) -> Reply {
        if let fault = decision.fault { record(exchange, .failed(fault), connection, at: now) }
        counters.count(.failed)
        return Reply(ending: ending, due: decision.due(at: now))
    }

    private func record(
        _ exchange: Exchange, _ decision: RequestRecord.Decision, notes: [String] = [], _ connection: Int,
        at now: Timestamp
    ) {
        guard journal.limit > 0 else { return }
        let request = exchange.request
        let record = RequestRecord(
            connection: connection, method: request.head.method, path: request.head.pathWithoutToken,
            deviceToken: request.head.deviceToken, headers: RequestRecord.Header.withoutSecrets(request.headers),
            payload: Data(request.payload.readableBytesView), apnsID: exchange.shownID, decision: decision, notes: notes
        )
        journal.append(.request(record), at: now)
    }
}
