import CarillonCore
import CarillonServer
import CarillonSimulator

/// Resets a running `carillon up` to the state that it had when it was started for the first time.
struct DemoReset: Sendable {
    let stack: LocalStack
    let phoneHost: PhoneHost

    /// Recalls all messages, erases the phones, deletes their former installations, and empties timeline and log.
    ///
    /// - Throws: the store's errors. Part of the state may be reset then; another call completes it.
    func run() async throws {
        let (store, app, now) = (stack.store, stack.app.number, stack.clock.now)
        let user = UserReference(LocalStack.user, of: app)
        let former = try await store.users.devices(of: user, limit: PhonesLimits.devicesPerMessage)
        var recalled = try await recall(stack.pageState.withIndex { $0.messages }, except: [])
        // The page shows only the newest messages. The others are in the inbox, and count for the app's badge.
        while true {
            let inbox = try await store.users.inbox(
                user: user, in: nil, before: nil, limit: PhonesLimits.messages, at: now)
            let more = try await recall(inbox.map(\.id), except: recalled)
            if more.isEmpty { break }
            recalled.formUnion(more)
        }
        for entry in stack.directory.entries { await phoneHost.phone(entry.id)?.reset() }
        for device in former { _ = try await store.devices.delete(device.id, at: now) }
        stack.simulator.devices.rules.expiry = .strict
        stack.episodes.reset()
        stack.pageState.forget()
    }

    /// Recalls messages.
    ///
    /// - Returns: the recalled messages, which are those outside `done`.
    private func recall(_ messages: [MessageID], except done: Set<MessageID>) async throws -> Set<MessageID> {
        let rules = SendingRules(assuredWait: PhonesLimits.assuredWait)
        let left = Set(messages).subtracting(done)
        for message in left {
            _ = try await stack.store.messages.recall(
                MessageReference(message, of: stack.app.number), notice: nil, rules, by: .program, at: stack.clock.now)
        }
        return left
    }
}
