import CarillonCore
import Foundation
import NIOCore
import NIOHPACK

/// Takes a whole request, decides, and sets in motion what follows: the part of the simulator that every connection
/// shares.
final class PushService: Sendable {
    let environment: APNsEnvironment
    let topics: Set<String>
    let headerRules: HeaderRules
    let tokens: TokenCache
    let devices: DeviceFleet
    let faults: FaultInjector
    let journal: Journal
    let counters: Counters
    let clock: any CarillonClock
    let seed: UInt64

    init(
        configuration: SimulatorConfiguration, tokens: TokenCache, devices: DeviceFleet, faults: FaultInjector,
        journal: Journal, counters: Counters
    ) {
        environment = configuration.environment
        topics = configuration.topics
        headerRules = HeaderRules(requiresPushType: configuration.requiresPushType)
        clock = configuration.clock
        seed = configuration.seed
        self.tokens = tokens
        self.devices = devices
        self.faults = faults
        self.journal = journal
        self.counters = counters
    }

    func makeConnection(number: Int, certificate: ClientCertificate?) -> SenderConnection {
        SenderConnection(
            number: number,
            policy: ConnectionPolicy(environment: environment, teamTopics: topics, certificate: certificate),
            generator: SeededGenerator(seed: seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95))
    }

    /// Makes all checks in their order, and delivers or stores what passes them.
    func reply(to request: IncomingRequest, on connection: inout SenderConnection) -> Reply {
        let now = clock.now
        let exchange = Exchange(request, generator: &connection.generator, isSandbox: environment == .sandbox)
        let decision = faults.decide(for: request.head)
        switch decision.fault {
        case nil, .loseAnswer:
            let answer = process(exchange, on: &connection, at: now)
            return Reply(ending: decision.fault == nil ? .answer(answer) : .silence, due: decision.due(at: now))
        case .reject(let reason):
            let rejection = Rejection(
                reason, by: .fault, timestamp: reason.status == 410 ? now : nil, detail: "asked for by the fault plan")
            return Reply(
                ending: .answer(reject(exchange, rejection, on: connection.number, at: now)), due: decision.due(at: now)
            )
        case .answer(let status, let body):
            let answer = Answer(status: status, apnsID: exchange.shownID, body: body.isEmpty ? nil : body)
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
            let request = exchange.request
            let target = try RequestTarget.check(request.head)
            let skewed = now + (faults.connectionPlan?.clockSkew ?? .zero)
            let sender = try connection.policy.identify(request.head.authorization, tokens: tokens, at: skewed)
            let push = try headerRules.check(request.head, sender: sender)
            try PayloadRules.check(request.payload, byteCount: request.payloadByteCount, rule: push.rule)
            try devices.submit(push, to: target, id: exchange.id, payload: request.payload, in: environment) {
                record(exchange, .accepted, connection.number, at: now)
            }
            counters.count(.accepted)
            return Answer(status: 200, apnsID: exchange.shownID, uniqueID: exchange.uniqueID)
        } catch {
            return reject(exchange, error, on: connection.number, at: now)
        }
    }

    private func reject(_ exchange: Exchange, _ rejection: Rejection, on connection: Int, at now: Timestamp) -> Answer {
        record(exchange, .rejected(rejection), connection, at: now)
        counters.count(.rejected(rejection.reason))
        return Answer(status: rejection.status, apnsID: exchange.shownID, body: rejection.body)
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
        _ exchange: Exchange, _ decision: RequestRecord.Decision, _ connection: Int, at now: Timestamp
    ) {
        guard journal.limit > 0 else { return }
        let request = exchange.request
        let record = RequestRecord(
            connection: connection, method: request.head.method, path: request.head.pathWithoutToken,
            deviceToken: request.head.deviceToken, headers: RequestRecord.Header.withoutSecrets(request.headers),
            payload: Data(request.payload.readableBytesView), apnsID: exchange.shownID, decision: decision)
        journal.append(.request(record), at: now)
    }
}

/// A request with the ids of its answer.
struct Exchange {
    let request: IncomingRequest
    let id: UUID
    /// The id as the answer says it: echoed as it came, or, since APNs makes its own in upper case, in that.
    let shownID: String
    /// The answer's `apns-unique-id`, in the sandbox only.
    let uniqueID: String?

    init(_ request: IncomingRequest, generator: inout SeededGenerator, isSandbox: Bool) {
        self.request = request
        if let text = request.head.apnsID, MessageIdentifier.isWellFormed(text), let given = UUID(uuidString: text) {
            id = given
            shownID = text
        } else {
            id = MessageIdentifier.make(using: &generator)
            shownID = id.uuidString
        }
        uniqueID = isSandbox ? MessageIdentifier.make(using: &generator).uuidString.lowercased() : nil
    }
}
