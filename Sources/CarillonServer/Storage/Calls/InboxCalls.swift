import CarillonCore

/// Users: their inboxes, and their leaving.
package protocol InboxCalls: Sendable {
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
    /// Unbinds a device from its user: what is queued for that user is not sent to it any more.
    func signOut(_ device: String, by caller: SignOutCaller, at now: Timestamp) async throws -> [TimelineEvent]
    /// Unbinds all of a user's devices.
    func signOut(_ user: UserReference, at now: Timestamp) async throws -> (devices: Int, events: [TimelineEvent])
    /// Signs a user out everywhere and erases what names the user and what only the user was sent.
    func erase(_ user: UserReference, at now: Timestamp) async throws -> UserErasure
}

extension InboxCalls {
    /// A user's inbox in the languages of the messages' own payloads.
    package func inbox(
        user: UserReference, before number: Int64?, limit: Int, at now: Timestamp
    ) async throws -> [InboxEntry] {
        try await inbox(user: user, in: nil, before: number, limit: limit, at: now)
    }
}

extension TransactionalStore {
    package func inbox(
        user: UserReference, in locale: String?, before number: Int64?, limit: Int, at now: Timestamp
    ) async throws -> [InboxEntry] {
        try await read(at: now) { try InboxPage($0).entries(of: user, in: locale, before: number, limit: limit) }
    }

    package func markRead(
        _ selection: ReadSelection, user: UserReference, on device: String?, at now: Timestamp
    ) async throws -> ReadOutcome {
        let (marked, events) = try await writeInSteps(at: now) {
            try Reading($0).read(selection, by: user, on: device)
        }
        let unread = try await read(at: now) { try UnreadMessages($0).unreadCount(of: user) }
        return ReadOutcome(marked: marked, unread: unread, events: events)
    }

    package func signOut(
        _ device: String, by caller: SignOutCaller, at now: Timestamp
    ) async throws -> [TimelineEvent] {
        try await writeInSteps(at: now) { try SigningOut($0).signOut(device, by: caller) }.events
    }

    package func signOut(
        _ user: UserReference, at now: Timestamp
    ) async throws -> (devices: Int, events: [TimelineEvent]) {
        let (count, events) = try await writeInSteps(at: now) { try SigningOut($0).signOut(user) }
        return (count, events)
    }

    package func erase(_ user: UserReference, at now: Timestamp) async throws -> UserErasure {
        try await write(at: now) { try Erasing($0).begin(user) }
        var erasure = UserErasure(devices: 0, messages: 0, inbox: 0, deliveries: 0, remaining: 0, events: [])
        try await write(at: now) { try Erasing($0).leaveOut(user) }
        let queued = try await read { try Erasing($0).queuedDeliveries(for: user) }
        erasure.events += try await inSteps(over: queued, by: ServiceLimits.devicesPerStep, at: now) {
            try Erasing($0).cancel($1)
        }
        let signedOut = try await writeInSteps(at: now) { try SigningOut($0).signOut(user) }
        erasure.devices = signedOut.value
        erasure.events += signedOut.events
        // What is looked for all over the database is found without holding up those who write.
        let own = try await read { try Erasing($0).ownMessages(of: user) }
        erasure.messages = own.count
        erasure.events += try await inSteps(over: own, by: ServiceLimits.erasedMessagesPerStep, at: now) {
            try Erasing($0).empty($1)
        }
        let details = try await read { try Erasing($0).details(of: user) }
        let named = try await read { try Erasing($0).deliveries(naming: user) }
        try await inSteps(over: details, by: ServiceLimits.rowsPerStep, at: now) { try Erasing($0).eraseDetails($1) }
        try await inSteps(over: named, by: ServiceLimits.rowsPerStep, at: now) { try Erasing($0).eraseNames($1) }
        erasure.deliveries = details.count + named.count
        var emptied = 1
        while emptied > 0 {
            emptied = try await write(at: now) { try Erasing($0).emptyInbox(of: user) }
            erasure.inbox += emptied
        }
        emptied = 1
        while emptied > 0 { emptied = try await write(at: now) { try Erasing($0).forgetVariables(of: user) } }
        erasure.remaining = try await write(at: now) { try Erasing($0).end(user) }
        await removeTraces()
        return erasure
    }

    package func finishErasures(at now: Timestamp) async throws -> [TimelineEvent] {
        var events: [TimelineEvent] = []
        for user in try await read({ try WorkTable($0).unfinishedErasures() }) {
            events += try await erase(user, at: now).events
        }
        return events
    }

    /// Does something with the rows of those numbers, some at a time.
    @discardableResult
    private func inSteps(
        over numbers: [Int64], by size: Int, at now: Timestamp,
        _ body: @escaping @Sendable (StoreSession, [Int64]) throws -> Void
    ) async throws -> [TimelineEvent] {
        var events: [TimelineEvent] = []
        for start in stride(from: 0, to: numbers.count, by: size) {
            let chunk = Array(numbers[start..<min(start + size, numbers.count)])
            events += try await write(at: now) { session in
                try body(session, chunk)
                return session.events
            }
        }
        return events
    }
}
