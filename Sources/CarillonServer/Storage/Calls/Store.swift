import CarillonCore
import Foundation

/// Where the service keeps what it has promised.
///
/// One implementation a database engine; every one passes the same conformance suite.
///
/// What a call has done is durable when it returns: neither `kill -9` nor a power cut undoes it. Each call is one
/// transaction, unless its work grows with an audience: that is begun in one, and gone on with in further ones of bounded
/// size, between which other calls come; after a crash a sender's ``claim(_:at:)`` goes on. What a call
/// changed on a message's timeline comes back as events, so that the caller can tell those who watch.
package protocol Store: Sendable {
    // MARK: Apps and keys

    /// Makes an app, or changes one. Keys that were made before there was any app become keys for the first.
    func put(_ app: AppSettings, at now: Timestamp) async throws -> AppRecord
    /// All apps, by topic.
    func apps() async throws -> [AppRecord]
    func app(_ topic: String) async throws -> AppRecord?
    func add(_ key: APIKeyRecord) async throws
    func apiKey(_ id: String) async throws -> APIKeyRecord?
    /// All keys, revoked ones too, oldest first.
    func apiKeys() async throws -> [APIKeyRecord]
    /// - Returns: whether there is such a key.
    func revokeAPIKey(_ id: String, at now: Timestamp) async throws -> Bool
    /// - Returns: whether it was added; not when ``ServiceLimits/liveSignInKeys`` are live already.
    func add(_ key: SignInKey) async throws -> Bool
    /// An app's keys, revoked ones too, oldest first.
    func signInKeys(of app: AppNumber) async throws -> [SignInKey]
    /// - Returns: whether there is such a key.
    func revokeSignInKey(_ id: String, of app: AppNumber, at now: Timestamp) async throws -> Bool

    // MARK: Messages

    /// Accepts a message and fixes its audience. A message whose id is known in its app replaces the earlier one.
    func accept(_ message: NewMessage, at now: Timestamp) async throws -> Acceptance
    /// How many devices an audience means now, whatever else would keep a message from them.
    func count(_ audience: Audience, of app: AppReference, at now: Timestamp) async throws -> Int
    /// The same by the devices' locales.
    func locales(_ audience: Audience, of app: AppReference, at now: Timestamp) async throws -> [String?: Int]
    func report(_ message: MessageReference, at now: Timestamp) async throws -> NotificationReport?
    /// One page of devices in the order of their ids, after `device`.
    func timeline(
        _ message: MessageReference, after device: String?, limit: Int, at now: Timestamp
    ) async throws -> Timeline?
    /// Takes a message back: cancels what is queued, asks the devices reached for its removal.
    ///
    /// A notice follows where the removal is not confirmed. Again: no further effect, except that the first notice may
    /// still be given; it needs a text of the message whose place it takes.
    ///
    /// - Returns: `nil` when there is no such message.
    func recall(
        _ message: MessageReference, notice: RecallNotice?, _ rules: SendingRules, at now: Timestamp
    ) async throws -> [TimelineEvent]?
    /// Stops a message for a while, lets it go on, or stops it for good; nothing, where nothing is left to be sent.
    /// - Returns: `nil` when there is no such message.
    func steer(
        _ message: MessageReference, _ change: SendingChange, at now: Timestamp
    ) async throws -> [TimelineEvent]?
    /// How a recall stands: all devices counted, and the first `limit` of them.
    func recallAnswer(_ message: MessageReference, limit: Int) async throws -> RecallAnswer?
    /// Marks messages as read, by whatever means: they disappear from the user's devices.
    ///
    /// `device` is the one that says so, and needs no removal; `nil` when the backend does.
    func markRead(
        _ selection: ReadSelection, user: UserReference, on device: String?, at now: Timestamp
    ) async throws -> ReadOutcome
    /// A user's messages that count as unread, newest first, before the message with that number, as a device with that
    /// locale shows them.
    func inbox(
        user: UserReference, in locale: String?, before number: Int64?, limit: Int, at now: Timestamp
    ) async throws -> [InboxEntry]

    // MARK: Devices and users

    /// Creates or replaces a device, whose token is thereby registered (again), unless another installation holds it:
    /// then a nonce goes to the token.
    func register(_ device: NewDevice, at now: Timestamp) async throws -> RegistrationOutcome
    /// Takes over devices that another provider knew, without touching installations that are registered: in the order in
    /// which they are given, at most ``ServiceLimits/importedPerStep`` of them.
    func importDevices(_ devices: [ImportedDevice], at now: Timestamp) async throws -> [ImportOutcome]
    /// Changes what is named and nothing else; only a token that is named is registered again, and what APNs said about
    /// it stands otherwise.
    func change(_ device: String, _ update: DeviceUpdate, at now: Timestamp) async throws -> RegistrationOutcome
    /// Gives a device the token it claimed, if that is the nonce which was pushed to it.
    func claimToken(for device: String, nonce: String, at now: Timestamp) async throws -> RegistrationOutcome
    func device(_ id: String) async throws -> DeviceRecord?
    /// The installations bound to a user, by id.
    func devices(of user: UserReference, limit: Int) async throws -> [DeviceRecord]
    /// Forgets an installation: what is queued for it is cancelled.
    /// - Returns: `nil` when there is no such device.
    func delete(_ device: String, at now: Timestamp) async throws -> [TimelineEvent]?
    /// Unbinds a device from its user: what is queued for that user is not sent to it any more.
    func signOut(_ device: String, by caller: SignOutCaller, at now: Timestamp) async throws -> [TimelineEvent]
    /// Unbinds all of a user's devices.
    func signOut(_ user: UserReference, at now: Timestamp) async throws -> (devices: Int, events: [TimelineEvent])
    /// Signs a user out everywhere and erases what names the user and what only the user was sent.
    func erase(_ user: UserReference, at now: Timestamp) async throws -> UserErasure
    /// What the device must know, with at most `limit` removals, newest first; `nil` for an unknown device.
    func sync(_ device: String, limit: Int, at now: Timestamp) async throws -> SyncAnswer?
    /// Writes receipts down, each once, with what follows from them.
    func record(_ receipts: [Receipt], from device: String, at now: Timestamp) async throws -> ReceiptOutcome

    // MARK: Delivery

    /// Makes the caller one of the senders, under a number that nobody ever had; its name is drawn for this process.
    func join(_ name: String) async throws -> JoinedSender
    /// Shows that a sender lives, and tells the other senders.
    ///
    /// - Throws: ``SenderEnded`` when it was taken for gone meanwhile.
    func beat(_ sender: SenderNumber) async throws -> [SenderBeat]
    /// Ends at most `limit` leases of a sender that is gone, or that leaves: what it held may have been sent.
    ///
    /// If it has beaten since `beat`, nothing is done; `nil` when it is known to be gone.
    func release(
        _ sender: SenderNumber, ifStillAt beat: Int?, limit: Int, at now: Timestamp
    ) async throws -> SenderRelease
    /// Leases what is due. What must not be sent any more is finished on the way.
    ///
    /// It also goes on, a step at a time, with what a call has begun and not finished, and begins the removal of messages
    /// whose `until` has passed.
    ///
    /// - Throws: ``SenderEnded`` when the sender was taken for gone meanwhile.
    func claim(_ request: ClaimRequest, at now: Timestamp) async throws -> Claim
    /// Writes down what came of claimed deliveries: as facts in any case, as their state under the lease that holds. Then it
    /// leases what is due, where that is asked for; both are one transaction.
    ///
    /// - Throws: what ``claim(_:at:)`` does; then nothing is written down.
    func settle(
        _ settlements: [Settlement], _ rules: SendingRules, claiming request: ClaimRequest?, at now: Timestamp
    ) async throws -> (settled: SettledPushes, claim: Claim?)
    /// How many pushes of an app wait to be sent, counted up to a limit.
    func waiting(in app: AppNumber, atMost limit: Int) async throws -> Int
    /// When something falls due next; `nil` when nothing waits.
    func nextDue(except apps: Set<AppID>) async throws -> Timestamp?

    // MARK: Housekeeping

    /// Deletes at most `limit` messages, with all that belongs to them, that were accepted before `moment` and have
    /// nothing left to send, and as many old idempotency keys.
    /// - Returns: how many messages were deleted.
    func purge(before moment: Timestamp, limit: Int) async throws -> Int
    /// Erases the users whose erasure was interrupted.
    func finishErasures(at now: Timestamp) async throws -> [TimelineEvent]
    /// Whether the store answers, and what it has set aside; costs the same whatever it holds.
    func health() async throws -> StoreHealth
    /// Deliveries that were set aside because they cannot be read, the oldest first.
    func setAside(limit: Int) async throws -> [SetAsideDelivery]
    /// Queues again what was set aside, once its cause is mended.
    /// - Returns: how many there were.
    func retrySetAside(at now: Timestamp) async throws -> Int

    // MARK: Other processes

    /// What was committed since `mark`, by whichever process; without a mark nothing but where to begin.
    ///
    /// The mark moves on whatever is selected; `limit` is for events.
    func news(since mark: StoreNews.Mark?, _ selection: StoreNews.Selection, limit: Int) async throws -> StoreNews
    /// Whether another process has written since this was last asked; `nil` where only ``news(since:_:limit:)`` tells.
    func wasWrittenElsewhere() async throws -> Bool?
    /// Tells other processes soon, together with what else is to be told then, and returns at once.
    func announce(_ announcement: StoreAnnouncement)
    /// What other processes announce from now on; ends at once where nothing is announced.
    func announcements() -> AsyncStream<StoreAnnouncement>
}

extension Store {
    package func wasWrittenElsewhere() async throws -> Bool? { nil }
    package func announce(_ announcement: StoreAnnouncement) {}
    package func announcements() -> AsyncStream<StoreAnnouncement> { AsyncStream { $0.finish() } }

    /// Writes down what came of claimed deliveries.
    package func settle(
        _ settlements: [Settlement], _ rules: SendingRules, at now: Timestamp
    ) async throws -> SettledPushes {
        try await settle(settlements, rules, claiming: nil, at: now).settled
    }

    /// Takes a message back without a notice.
    package func recall(_ message: MessageReference, at now: Timestamp) async throws -> [TimelineEvent]? {
        try await recall(message, notice: nil, SendingRules(), at: now)
    }

    /// A user's inbox in the languages of the messages' own payloads.
    package func inbox(
        user: UserReference, before number: Int64?, limit: Int, at now: Timestamp
    ) async throws -> [InboxEntry] {
        try await inbox(user: user, in: nil, before: number, limit: limit, at: now)
    }
}
