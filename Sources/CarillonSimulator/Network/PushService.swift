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
    let journal: Journal
    let clock: any CarillonClock

    init(
        configuration: SimulatorConfiguration, tokens: TokenCache, devices: DeviceFleet, journal: Journal
    ) {
        environment = configuration.environment
        topics = configuration.topics
        headerRules = HeaderRules(requiresPushType: configuration.requiresPushType)
        clock = configuration.clock
        self.tokens = tokens
        self.devices = devices
        self.journal = journal
    }

    /// Makes all checks in their order, and delivers or stores what passes them.
    func answer(_ request: IncomingRequest, connection: Int, policy: inout ConnectionPolicy) -> Answer {
        let now = clock.now
        let apnsID = request.head.apnsID.flatMap { MessageIdentifier.isWellFormed($0) ? $0 : nil }
        // APNs makes up an id for a request without one, and writes it in upper case.
        let id = apnsID.flatMap(UUID.init(uuidString:)) ?? devices.makeMessageID()
        let shownID = apnsID ?? id.uuidString
        do {
            let push = try check(request, policy: &policy, id: id, at: now)
            record(request, shownID, .accepted, connection, at: now)
            devices.accept(push)
            let uniqueID = environment == .sandbox ? devices.makeMessageID().uuidString.lowercased() : nil
            return Answer(status: 200, apnsID: shownID, uniqueID: uniqueID)
        } catch {
            record(request, shownID, .rejected(error), connection, at: now)
            return Answer(status: error.status, apnsID: shownID, body: error.body)
        }
    }

    private func check(
        _ request: IncomingRequest, policy: inout ConnectionPolicy, id: UUID, at now: Timestamp
    ) throws(Rejection) -> SimulatorPush {
        let target = try RequestTarget.check(request.head)
        let sender = try policy.identify(request.head.authorization, tokens: tokens, at: now)
        let push = try headerRules.check(request.head, sender: sender)
        try PayloadRules.check(request.payload, byteCount: request.payloadByteCount, rule: push.rule)
        let (token, device) = try devices.check(target, for: push, in: environment, at: now)
        return SimulatorPush(
            device: device, token: token, topic: push.topic, bundleID: push.bundleID, pushType: push.pushType,
            payload: Data(request.payload.readableBytesView), collapseID: push.collapseID, apnsID: id,
            priority: push.priority, expiration: push.expiration)
    }

    private func record(
        _ request: IncomingRequest, _ apnsID: String, _ decision: RequestRecord.Decision, _ connection: Int,
        at now: Timestamp
    ) {
        guard journal.limit > 0 else { return }
        let path = request.head.path
        let isDevicePath = path.hasPrefix(RequestTarget.pathPrefix)
        let record = RequestRecord(
            connection: connection, method: request.head.method,
            path: isDevicePath ? RequestTarget.pathPrefix : path,
            deviceToken: isDevicePath ? DeviceToken(hex: String(path.dropFirst(RequestTarget.pathPrefix.count))) : nil,
            headers: RequestRecord.Header.withoutSecrets(request.headers),
            payload: Data(request.payload.readableBytesView), apnsID: apnsID, decision: decision)
        journal.append(.request(record), at: now)
    }
}
