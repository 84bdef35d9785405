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
        let ending = ending(of: exchange, decision.fault, on: &connection, at: now)
        return Reply(ending: ending, due: decision.due(at: now), goAway: decision.goAway)
    }

    private func ending(
        of exchange: Exchange, _ fault: Fault?, on connection: inout SenderConnection, at now: Timestamp
    ) -> Reply.Ending {
        switch fault {
        case nil: return .answer(process(exchange, on: &connection, at: now))
        case .loseAnswer:
            _ = process(exchange, on: &connection, at: now)
            return .silence
        case .reject(let reason):
            if reason == .expiredProviderToken {
                ConnectionCredential.expire(exchange.request.head.authorization, tokens: tokens)
            }
            let rejection = Rejection(
                reason, by: .fault, timestamp: reason.status == 410 ? now : nil,
                detail: "injected by the fault plan or a script")
            return .answer(reject(exchange, rejection, on: &connection, at: now))
        case let fault?:
            record(exchange, .failed(fault), &connection, at: now)
            counters.count(.failed)
            return fault.ending(exchange.headers)
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
            try devices.submit(push, to: target, id: exchange.id, payload: payload, in: environment) { isUnknown in
                let door = isUnknown ? [Self.unknownTokenNote] : []
                record(exchange, .accepted, notes: notes + door, &connection, at: now)
            }
            counters.count(.accepted)
            return Answer(status: 200, headers: exchange.headersOfAccepted)
        } catch {
            return reject(exchange, error, on: &connection, at: now)
        }
    }

    private func broadcast(
        _ route: ChannelRoute, _ exchange: Exchange, on connection: inout SenderConnection, at now: Timestamp
    ) throws(Rejection) -> Answer {
        try RequestTarget.checkIdentity(exchange.request.head)
        let sender = try identify(exchange.request.head, on: &connection, at: now)
        let (answer, effect) = try broadcasts.answer(
            route, exchange, sender: sender, generator: &connection.generator)
        record(exchange, .accepted, notes: [sender.note].compactMap(\.self), &connection, at: now)
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

    private static let unknownTokenNote =
        "accepted through the door any-token: Apple's servers answer 400 BadDeviceToken to a token that no device has"

    private func reject(
        _ exchange: Exchange, _ rejection: Rejection, on connection: inout SenderConnection, at now: Timestamp
    ) -> Answer {
        record(exchange, .rejected(rejection), &connection, at: now)
        counters.count(.rejected(rejection.reason))
        return Answer(status: rejection.status, headers: exchange.headers, body: rejection.body)
    }

    private func record(
        _ exchange: Exchange, _ decision: RequestRecord.Decision, notes: [String] = [],
        _ connection: inout SenderConnection, at now: Timestamp
    ) {
        guard journal.limit > 0 else { return }
        let request = exchange.request
        let record = RequestRecord(
            connection: connection.number, method: request.head.method, path: request.head.pathWithoutToken,
            deviceToken: request.head.deviceToken, headers: RequestRecord.Header.withoutSecrets(request.headers),
            credential: connection.shownCredential(request.head.authorization),
            payload: Data(request.payload.readableBytesView), apnsID: exchange.shownID, decision: decision, notes: notes
        )
        journal.append(.request(record), at: now)
    }
}

extension Fault {
    /// The end of a request that the fault takes the place of; the answer has these headers.
    fileprivate func ending(_ headers: [RequestRecord.Header]) -> Reply.Ending {
        switch self {
        case .answer(let status, let body, let retryAfter):
            let pause = retryAfter.map { RequestRecord.Header(name: "retry-after", value: "\($0.components.seconds)") }
            return .answer(
                Answer(status: status, headers: headers + [pause].compactMap(\.self), body: body.isEmpty ? nil : body))
        case .reset(let code): return .reset(code: code)
        case .cut: return .cut
        case .fallSilent: return .fallSilent
        case .goAway: return .goAway
        case .reject, .loseAnswer, .loseRequest: return .silence
        }
    }
}
