import CarillonCore

/// The store's calls about users: inbox, devices, sign-out and erasure.
package struct UserCalls: Sendable {
    let transactions: Transactions

    /// Returns a page of a user's inbox, newest messages first.
    ///
    /// The page has at most `limit` messages, those with numbers below `number`, in the language for `locale`. With `nil` for
    /// `number`, the page begins with the newest message.
    package func inbox(
        user: UserReference, in locale: String?, before number: Int64?, limit: Int, at now: Timestamp
    ) async throws -> [InboxEntry] {
        try await transactions.read(at: now) {
            try InboxPage($0).entries(of: user, in: locale, before: number, limit: limit)
        }
    }

    /// Returns the number of a message in a user's inbox, after which a further page begins; `nil` if the inbox does not have it.
    package func place(of message: MessageID, inInboxOf user: UserReference, at now: Timestamp) async throws -> Int64? {
        try await transactions.read(at: now) { try InboxPage($0).place(of: message, inInboxOf: user) }
    }

    /// Marks messages as read by a user, so that they disappear from the user's devices.
    ///
    /// - Parameters:
    ///   - selection: the messages.
    ///   - user: the user who has read them.
    ///   - device: the device on which the user has read them; it gets no request to remove them. The value is `nil` if the
    ///     backend reports the reading.
    ///   - now: the time of the call.
    /// - Returns: the number of messages that the call has marked, and the number of the user's messages that are still unread.
    /// - Throws: the errors of the database.
    package func markRead(
        _ selection: ReadSelection, user: UserReference, on device: String?, at now: Timestamp
    ) async throws -> ReadOutcome {
        let marked = try await transactions.writeInSteps(at: now) {
            try MarkingRead($0).read(selection, by: user, on: device)
        }
        let unread = try await transactions.read(at: now) { try UnreadMessages($0).unreadCount(of: user) }
        return ReadOutcome(marked: marked, unread: unread)
    }

    /// Returns at most `limit` installations on which a user is signed in, ordered by id.
    package func devices(of user: UserReference, limit: Int) async throws -> [DeviceRecord] {
        try await transactions.read { try DevicesTable($0).devices(of: user, limit: limit) }
    }

    /// Returns a page of what the store keeps of a user by name; `nil` if there is no message with the id `mark`, after which the
    /// page would begin.
    ///
    /// The texts are those for `locale`. The page has at most `limit` messages.
    package func data(
        of user: UserReference, in locale: String?, after mark: MessageID?, limit: Int, at now: Timestamp
    ) async throws -> UserData? {
        try await transactions.costlyRead(for: user.app, at: now) {
            try CollectingUserData($0).page(of: user, in: locale, after: mark, limit: limit)
        }
    }

    /// Signs a user out on all devices.
    ///
    /// - Returns: the number of devices on which the user was signed in.
    package func signOut(_ user: UserReference, at now: Timestamp) async throws -> Int {
        try await transactions.writeInSteps(at: now) { try SigningOut($0).signOut(user) }
    }

    /// Erases a user: signs the user out on all devices, and deletes the user's id and the contents of the messages that only
    /// this user got.
    ///
    /// - Parameters:
    ///   - user: the user.
    ///   - actor: the person or program that the audit list names for the erasure; `nil` if the call continues an interrupted
    ///     erasure.
    ///   - now: the time of the call.
    /// - Returns: the counts of the erased data.
    /// - Throws: the errors of the database. Another call, or a sender, then continues the erasure.
    package func erase(_ user: UserReference, by actor: AuditActor?, at now: Timestamp) async throws -> UserErasure {
        try await transactions.write(at: now) { session in
            guard try Erasing(session).begin(user), let actor else { return }
            try AuditTable(session).add(
                AuditNote(.userErased, by: actor, app: try AppsTable(session).topic(of: user.app)))
        }
        var erasure = UserErasure(
            devices: 0, messages: 0, inbox: 0, deliveries: 0, remaining: 0, copies: [])
        try await leaveOut(user, at: now)
        let queued = try await transactions.read { try Erasing($0).queuedDeliveries(for: user) }
        try await inSteps(over: queued, by: StoreLimits.devicesPerStep, at: now) { try Erasing($0).cancel($1) }
        erasure.devices = try await signOut(user, at: now)
        try await transactions.write(at: now) { try DeletingActivities($0).erase(user) }
        let own = try await transactions.read { try Erasing($0).ownMessages(of: user) }
        erasure.messages = own.count
        try await inSteps(over: own, by: StoreLimits.erasedMessagesPerStep, at: now) {
            try Erasing($0).empty($1)
        }
        let details = try await transactions.read { try Erasing($0).details(of: user) }
        let named = try await transactions.read { try Erasing($0).deliveries(naming: user) }
        try await inSteps(over: details, by: StoreLimits.rowsPerStep, at: now) { try Erasing($0).eraseDetails($1) }
        try await inSteps(over: named, by: StoreLimits.rowsPerStep, at: now) { try Erasing($0).eraseNames($1) }
        erasure.deliveries = details.count + named.count
        erasure.inbox = try await untilNone(at: now) { try Erasing($0).emptyInbox(of: user) }
        _ = try await untilNone(at: now) { try Erasing($0).forgetVariables(of: user) }
        _ = try await untilNone(at: now) { try Erasing($0).forgetEvents(of: user) }
        try await transactions.write(at: now) { try Erasing($0).end(user) }
        erasure.remaining = try await transactions.read { try Erasing($0).rowsNaming(user) }
        erasure.copies = transactions.engine.formerCopies
        await transactions.engine.removeTraces()
        return erasure
    }

    /// Runs `body` in transactions of its own until it returns 0, and returns the sum of the numbers.
    private func untilNone(
        at now: Timestamp, _ body: @escaping @Sendable (StoreSession) throws -> Int
    ) async throws -> Int {
        var (sum, count) = (0, 1)
        while count > 0 {
            count = try await transactions.write(at: now, body)
            sum += count
        }
        return sum
    }

    /// Removes a user from the recipients of messages that are not addressed yet, and from tags.
    private func leaveOut(_ user: UserReference, at now: Timestamp) async throws {
        let addressed = try await transactions.read { try Erasing($0).addressed(naming: user) }
        try await inSteps(over: addressed.tasks, by: StoreLimits.devicesPerStep, at: now) {
            try Erasing($0).leaveOut(user, ofTasks: $1)
        }
        try await inSteps(over: addressed.ranges, by: StoreLimits.devicesPerStep, at: now) {
            try Erasing($0).leaveOut(user, ofRanges: $1)
        }
        let tagged = try await transactions.read { try Erasing($0).tagged(naming: user) }
        try await inSteps(over: tagged, by: StoreLimits.devicesPerStep, at: now) {
            try Erasing($0).eraseTags($1, of: user)
        }
    }

    /// Calls `body` with consecutive groups of `numbers`, each of at most `size` row numbers and in a transaction of its own.
    private func inSteps(
        over numbers: [Int64], by size: Int, at now: Timestamp,
        _ body: @escaping @Sendable (StoreSession, [Int64]) throws -> Void
    ) async throws {
        for start in stride(from: 0, to: numbers.count, by: size) {
            let chunk = Array(numbers[start..<min(start + size, numbers.count)])
            try await transactions.write(at: now) { try body($0, chunk) }
        }
    }
}
