import CarillonCore
import CarillonServer
import Foundation
import Synchronization

/// A store whose process dies at one of its calls: just before it takes effect, or just after, before the caller knows.
/// Every later call fails too, as in a process that is gone.
final class CrashingStore: Store {
    struct Crash: Error {}

    enum Moment { case before, after }

    private let store: any Store
    private let moment: Moment
    private let callsLeft: Mutex<Int>

    /// - Parameter call: which call from now on is the last, counted from 1.
    init(_ store: any Store, at call: Int, _ moment: Moment) {
        self.store = store
        self.moment = moment
        callsLeft = Mutex(call)
    }

    var hasCrashed: Bool { callsLeft.withLock { $0 <= 0 } }

    private func live<Value>(_ body: (any Store) async throws -> Value) async throws -> Value {
        let left = callsLeft.withLock { left in
            left -= 1
            return left
        }
        if left < 0 || (left == 0 && moment == .before) { throw Crash() }
        let value = try await body(store)
        if left == 0 { throw Crash() }
        return value
    }

    func put(_ app: AppSettings, at now: Timestamp) async throws -> AppRecord {
        try await live { try await $0.put(app, at: now) }
    }
    func apps() async throws -> [AppRecord] { try await live { try await $0.apps() } }
    func app(_ topic: String) async throws -> AppRecord? { try await live { try await $0.app(topic) } }
    func add(_ key: APIKeyRecord) async throws { try await live { try await $0.add(key) } }
    func apiKey(_ id: String) async throws -> APIKeyRecord? { try await live { try await $0.apiKey(id) } }
    func apiKeys() async throws -> [APIKeyRecord] { try await live { try await $0.apiKeys() } }
    func revokeAPIKey(_ id: String, at now: Timestamp) async throws -> Bool {
        try await live { try await $0.revokeAPIKey(id, at: now) }
    }
    func add(_ key: SignInKey) async throws -> Bool { try await live { try await $0.add(key) } }
    func signInKeys(of app: AppNumber) async throws -> [SignInKey] {
        try await live { try await $0.signInKeys(of: app) }
    }
    func revokeSignInKey(_ id: String, of app: AppNumber, at now: Timestamp) async throws -> Bool {
        try await live { try await $0.revokeSignInKey(id, of: app, at: now) }
    }
    func accept(_ message: NewMessage, at now: Timestamp) async throws -> Acceptance {
        try await live { try await $0.accept(message, at: now) }
    }
    func count(_ audience: Audience, of app: AppReference, at now: Timestamp) async throws -> Int {
        try await live { try await $0.count(audience, of: app, at: now) }
    }
    func report(_ message: MessageReference, at now: Timestamp) async throws -> NotificationReport? {
        try await live { try await $0.report(message, at: now) }
    }
    func timeline(
        _ message: MessageReference, after device: String?, limit: Int, at now: Timestamp
    ) async throws -> Timeline? {
        try await live { try await $0.timeline(message, after: device, limit: limit, at: now) }
    }
    func finishErasures(at now: Timestamp) async throws -> [TimelineEvent] {
        try await live { try await $0.finishErasures(at: now) }
    }
    func recall(
        _ message: MessageReference, notice: RecallNotice?, _ rules: SendingRules, at now: Timestamp
    ) async throws -> [TimelineEvent]? {
        try await live { try await $0.recall(message, notice: notice, rules, at: now) }
    }
    func steer(
        _ message: MessageReference, _ change: SendingChange, at now: Timestamp
    ) async throws -> [TimelineEvent]? {
        try await live { try await $0.steer(message, change, at: now) }
    }
    func locales(_ audience: Audience, of app: AppReference, at now: Timestamp) async throws -> [String?: Int] {
        try await live { try await $0.locales(audience, of: app, at: now) }
    }
    func recallAnswer(_ message: MessageReference, limit: Int) async throws -> RecallAnswer? {
        try await live { try await $0.recallAnswer(message, limit: limit) }
    }
    func markRead(
        _ selection: ReadSelection, user: UserReference, on device: String?, at now: Timestamp
    ) async throws -> ReadOutcome {
        try await live { try await $0.markRead(selection, user: user, on: device, at: now) }
    }
    func inbox(
        user: UserReference, in locale: String?, before number: Int64?, limit: Int, at now: Timestamp
    ) async throws -> [InboxEntry] {
        try await live { try await $0.inbox(user: user, in: locale, before: number, limit: limit, at: now) }
    }
    func register(_ device: NewDevice, at now: Timestamp) async throws -> RegistrationOutcome {
        try await live { try await $0.register(device, at: now) }
    }
    func change(
        _ device: String, _ update: DeviceUpdate, at now: Timestamp
    ) async throws -> RegistrationOutcome {
        try await live { try await $0.change(device, update, at: now) }
    }
    func claimToken(
        for device: String, nonce: String, at now: Timestamp
    ) async throws -> RegistrationOutcome {
        try await live { try await $0.claimToken(for: device, nonce: nonce, at: now) }
    }
    func importDevices(_ devices: [ImportedDevice], at now: Timestamp) async throws -> [ImportOutcome] {
        try await live { try await $0.importDevices(devices, at: now) }
    }
    func device(_ id: String) async throws -> DeviceRecord? { try await live { try await $0.device(id) } }
    func devices(of user: UserReference, limit: Int) async throws -> [DeviceRecord] {
        try await live { try await $0.devices(of: user, limit: limit) }
    }
    func delete(_ device: String, at now: Timestamp) async throws -> [TimelineEvent]? {
        try await live { try await $0.delete(device, at: now) }
    }
    func signOut(_ device: String, by caller: SignOutCaller, at now: Timestamp) async throws -> [TimelineEvent] {
        try await live { try await $0.signOut(device, by: caller, at: now) }
    }
    func signOut(_ user: UserReference, at now: Timestamp) async throws -> (devices: Int, events: [TimelineEvent]) {
        try await live { try await $0.signOut(user, at: now) }
    }
    func erase(_ user: UserReference, at now: Timestamp) async throws -> UserErasure {
        try await live { try await $0.erase(user, at: now) }
    }
    func sync(_ device: String, limit: Int, at now: Timestamp) async throws -> SyncAnswer? {
        try await live { try await $0.sync(device, limit: limit, at: now) }
    }
    func record(_ receipts: [Receipt], from device: String, at now: Timestamp) async throws -> ReceiptOutcome {
        try await live { try await $0.record(receipts, from: device, at: now) }
    }
    func claim(_ request: ClaimRequest, at now: Timestamp) async throws -> Claim {
        try await live { try await $0.claim(request, at: now) }
    }
    func settle(
        _ settlements: [Settlement], _ rules: SendingRules, claiming request: ClaimRequest?, at now: Timestamp
    ) async throws -> (settled: SettledPushes, claim: Claim?) {
        try await live { try await $0.settle(settlements, rules, claiming: request, at: now) }
    }
    func join(_ name: String) async throws -> JoinedSender { try await live { try await $0.join(name) } }
    func beat(_ sender: SenderNumber) async throws -> [SenderBeat] { try await live { try await $0.beat(sender) } }
    func release(
        _ sender: SenderNumber, ifStillAt beat: Int?, limit: Int, at now: Timestamp
    ) async throws -> SenderRelease {
        try await live { try await $0.release(sender, ifStillAt: beat, limit: limit, at: now) }
    }
    func health() async throws -> StoreHealth { try await live { try await $0.health() } }
    func setAside(limit: Int) async throws -> [SetAsideDelivery] {
        try await live { try await $0.setAside(limit: limit) }
    }
    func retrySetAside(at now: Timestamp) async throws -> Int {
        try await live { try await $0.retrySetAside(at: now) }
    }
    func waiting(in app: AppNumber, atMost limit: Int) async throws -> Int {
        try await live { try await $0.waiting(in: app, atMost: limit) }
    }
    func nextDue(except apps: Set<AppID>) async throws -> Timestamp? {
        try await live { try await $0.nextDue(except: apps) }
    }
    func purge(before moment: Timestamp, limit: Int) async throws -> Int {
        try await live { try await $0.purge(before: moment, limit: limit) }
    }
    func news(since mark: StoreNews.Mark?, _ selection: StoreNews.Selection, limit: Int) async throws -> StoreNews {
        try await live { try await $0.news(since: mark, selection, limit: limit) }
    }
}
