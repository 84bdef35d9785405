import CarillonCore
import Foundation

@testable import CarillonServer

/// The store's calls without their groups, and its engine by its type: a test makes many calls of many groups.
extension Store {
    var sqlite: SQLiteEngine {
        guard let engine = transactions.engine as? SQLiteEngine else { fatalError("no SQLite") }
        return engine
    }

    /// Closes the engine.
    func close() throws {
        switch transactions.engine {
        case let engine as SQLiteEngine: try engine.close()
        case let engine as PostgreSQLEngine: engine.close()
        default: fatalError("no engine of the service")
        }
    }

    /// Makes calls, and returns what they have published beside their answer.
    func hearing<Value: Sendable>(
        _ body: (Store) async throws -> Value
    ) async throws -> (value: Value, changes: [CommittedChanges]) {
        let heard = SharedValue<[CommittedChanges]>([])
        let value = try await body(publishing { changes in heard.withLock { $0.append(changes) } })
        return (value, heard.withLock(\.self))
    }

    func write<Value: Sendable>(
        at now: Timestamp, _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value { try await transactions.write(at: now, body) }

    func read<Value: Sendable>(
        at now: Timestamp = Timestamp(millisecondsSince1970: 0),
        _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value { try await transactions.read(at: now, body) }

    func put(_ app: AppSettings, at now: Timestamp) async throws -> AppRecord {
        try await apps.put(app, by: AuditActor("test"), at: now)
    }
    func app(_ topic: String) async throws -> AppRecord? { try await apps.app(topic) }

    func add(_ key: APIKeyRecord) async throws { try await keys.add(key, by: AuditActor("test")) }
    func apiKey(_ id: String) async throws -> APIKeyRecord? { try await keys.apiKey(id) }
    func apiKeys() async throws -> [APIKeyRecord] { try await keys.apiKeys() }
    func revokeAPIKey(_ id: String, at now: Timestamp) async throws -> Bool {
        try await keys.revokeAPIKey(id, by: AuditActor("test"), at: now)
    }
    func add(_ key: SignInKey) async throws -> Bool {
        try await keys.add(key, for: AppReference(number: key.app, topic: "test"), by: AuditActor("test"))
    }
    func signInKeys(of app: AppNumber) async throws -> [SignInKey] { try await keys.signInKeys(of: app) }

    func register(_ device: NewDevice, at now: Timestamp) async throws -> RegistrationOutcome {
        try await devices.register(device, at: now)
    }
    func importDevices(_ imported: [ImportedDevice], at now: Timestamp) async throws -> [ImportOutcome] {
        try await devices.importDevices(imported, at: now)
    }
    func change(_ device: String, _ update: DeviceUpdate, at now: Timestamp) async throws -> RegistrationOutcome {
        try await devices.change(device, update, at: now)
    }
    func claimToken(for device: String, nonce: String, at now: Timestamp) async throws -> RegistrationOutcome {
        try await devices.claimToken(for: device, nonce: nonce, at: now)
    }
    func device(_ id: String) async throws -> DeviceRecord? { try await devices.device(id) }
    func signOut(_ device: String, by caller: SignOutCaller, at now: Timestamp) async throws -> [TimelineEvent] {
        try await hearing { try await $0.devices.signOut(device, by: caller, at: now) }.changes.timeline
    }
    func delete(_ device: String, at now: Timestamp) async throws -> [TimelineEvent]? {
        let (isKnown, changes) = try await hearing { try await $0.devices.delete(device, at: now) }
        return isKnown ? changes.timeline : nil
    }

    func record(_ receipts: [Receipt], from device: String, at now: Timestamp) async throws -> ReceiptOutcome {
        try await sync.record(receipts, from: device, at: now)
    }
    func sync(_ device: String, limit: Int, at now: Timestamp) async throws -> SyncAnswer? {
        try await sync.answer(to: device, limit: limit, at: now)
    }

    func accept(_ message: NewMessage, at now: Timestamp) async throws -> Acceptance {
        try await messages.accept(message, at: now)
    }
    func count(_ audience: Audience, of app: AppReference, at now: Timestamp) async throws -> Int {
        try await messages.count(audience, of: app, at: now)
    }
    func locales(_ audience: Audience, of app: AppReference, at now: Timestamp) async throws -> [String?: Int] {
        try await messages.locales(audience, of: app, at: now)
    }
    func report(_ message: MessageReference, at now: Timestamp) async throws -> NotificationReport? {
        try await messages.report(message, at: now)
    }
    func timeline(
        _ message: MessageReference, after device: String?, limit: Int, at now: Timestamp
    ) async throws -> Timeline? { try await messages.timeline(message, after: device, limit: limit, at: now) }
    func recall(
        _ message: MessageReference, notice: RecallNotice? = nil, _ rules: SendingRules = SendingRules(),
        at now: Timestamp
    ) async throws -> [TimelineEvent]? {
        let (isKnown, changes) = try await hearing {
            try await $0.messages.recall(message, notice: notice, rules, by: AuditActor("test"), at: now)
        }
        return isKnown ? changes.timeline : nil
    }
    func steer(_ message: MessageReference, _ change: SendingChange, at now: Timestamp) async throws -> [TimelineEvent]?
    {
        let (isKnown, changes) = try await hearing { try await $0.messages.steer(message, change, at: now) }
        return isKnown ? changes.timeline : nil
    }
    /// All devices of a group, page by page.
    func recipients(
        of message: MessageReference, in group: RecipientGroup?, pagesOf limit: Int = 100, at now: Timestamp = noon
    ) async throws -> [RecipientList.Recipient] {
        var (found, mark): ([RecipientList.Recipient], String?) = ([], nil)
        repeat {
            let page = try await messages.recipients(of: message, in: group, after: mark, limit: limit, at: now)
            found += page?.recipients ?? []
            mark = page?.next
        } while mark != nil
        return found
    }

    func recallAnswer(_ message: MessageReference, limit: Int) async throws -> RecallAnswer? {
        try await messages.recallAnswer(message, limit: limit)
    }

    func inbox(
        user: UserReference, in locale: String? = nil, before number: Int64?, limit: Int, at now: Timestamp
    ) async throws -> [InboxEntry] {
        try await users.inbox(user: user, in: locale, before: number, limit: limit, at: now)
    }
    func markRead(
        _ selection: ReadSelection, user: UserReference, on device: String?, at now: Timestamp
    ) async throws -> ReadOutcome { try await users.markRead(selection, user: user, on: device, at: now) }
    func devices(of user: UserReference, limit: Int) async throws -> [DeviceRecord] {
        try await users.devices(of: user, limit: limit)
    }
    func signOut(_ user: UserReference, at now: Timestamp) async throws -> Int {
        try await users.signOut(user, at: now)
    }
    func erase(_ user: UserReference, at now: Timestamp) async throws -> UserErasure {
        try await users.erase(user, by: AuditActor("test"), at: now)
    }

    func join(_ name: String) async throws -> JoinedSender { try await sending.join(name) }
    func beat(_ sender: SenderNumber) async throws -> [SenderBeat] { try await sending.beat(sender) }
    func release(
        _ sender: SenderNumber, ifStillAt beat: Int?, limit: Int, at now: Timestamp
    ) async throws -> SenderRelease { try await sending.release(sender, ifStillAt: beat, limit: limit, at: now) }
    func claim(_ request: ClaimRequest, at now: Timestamp) async throws -> Claim {
        try await sending.claim(request, at: now)
    }
    func settle(
        _ settlements: [SentPush], _ rules: SendingRules, claiming request: ClaimRequest?, at now: Timestamp
    ) async throws -> (settled: [CommittedChanges], claim: Claim?) {
        let (claim, changes) = try await hearing {
            try await $0.sending.settle(settlements, rules, claiming: request, at: now)
        }
        return (changes, claim)
    }
    func settle(
        _ settlements: [SentPush], _ rules: SendingRules, at now: Timestamp
    ) async throws -> [CommittedChanges] {
        try await settle(settlements, rules, claiming: nil, at: now).settled
    }
    func waiting(in app: AppNumber, atMost limit: Int) async throws -> Int {
        try await sending.waiting(in: app, atMost: limit)
    }
    func nextDue(except apps: Set<AppID>) async throws -> Timestamp? { try await sending.nextDue(except: apps) }

    func purge(before moment: Timestamp, limit: Int) async throws -> Int {
        try await upkeep.purge(before: moment, limit: limit)
    }
    func finishErasures(at now: Timestamp) async throws -> [any Error] { try await upkeep.finishErasures(at: now) }
    /// Deletes all rows of the removed apps, and returns the apps' bundle ids.
    @discardableResult
    func deleteRemovedApps() async throws -> [String] {
        var deleted: [String] = []
        for app in try await upkeep.removedApps() where try await upkeep.delete(app, at: noon) {
            deleted.append(app.topic)
        }
        return deleted
    }
    func health() async throws -> StoreHealth { try await upkeep.health() }
    func setAside(limit: Int) async throws -> [SetAsideDelivery] { try await upkeep.setAside(limit: limit) }
    func retrySetAside(at now: Timestamp) async throws -> Int { try await upkeep.retrySetAside(at: now) }
    func inspection() async throws -> StoreInspection { try await upkeep.inspection() }

    func news(since mark: StoreNews.Mark?, _ selection: StoreNews.Selection, limit: Int) async throws -> StoreNews {
        try await news.news(since: mark, selection, limit: limit)
    }
    func announce(_ announcement: StoreAnnouncement) { news.announce(announcement) }
    func announcements() -> AsyncStream<StoreAnnouncement> { news.announcements() }
    func wasWrittenElsewhere() async throws -> Bool? { try await news.wasWrittenElsewhere() }
}

extension [CommittedChanges] {
    /// The timeline events of all transactions.
    var timeline: [TimelineEvent] { flatMap(\.timeline) }
    var messages: [MessageReference] { flatMap(\.messages) }
}

extension NotificationReport.Counts {
    /// The count that the list of a group must have; 0 for a group that is no count.
    subscript(group: RecipientGroup) -> Int {
        switch group {
        case .queued: queued
        case .accepted: accepted
        case .rejected: rejected
        case .unanswered: unanswered
        case .cancelled: cancelled
        case .expired: expired
        case .setAside: setAside
        case .skipped: skipped
        case .received: received
        case .shown: shown
        case .opened: opened
        case .acted: acted
        case .dismissed: dismissed
        case .recalled: recalled
        case .notShown: 0
        }
    }
}
