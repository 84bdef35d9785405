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
        let phones = stack.directory.entries.compactMap { phoneHost.phone($0.id) }
        for phone in phones { await phone.erase() }
        let outcome: Result<Set<MessageID>, any Error>
        do {
            outcome = .success(try await forgetAtService())
        } catch {
            outcome = .failure(error)
        }
        // Also after an error, a phone has an app.
        for phone in phones { await phone.beginAnew() }
        let recalled = try outcome.get()
        stack.simulator.devices.rules.expiry = .strict
        stack.episodes.reset()
        stack.pageState.forget(recalled: recalled)
    }

    /// Recalls all messages and deletes all devices of the phones' user.
    ///
    /// The phones have no app meanwhile: an app that runs registers, and would leave a device that belongs to no phone.
    ///
    /// - Returns: the recalled messages.
    private func forgetAtService() async throws -> Set<MessageID> {
        let (store, now) = (stack.store, stack.clock.now)
        let user = UserReference(LocalStack.user, of: stack.app.number)
        var recalled = try await recall(stack.pageState.withIndex { $0.messages }, except: [])
        // The page shows only the newest messages. The others are in the inbox, and count for the app's badge.
        while true {
            let inbox = try await store.users.inbox(
                user: user, in: nil, before: nil, limit: PhonesLimits.messages, at: now)
            let more = try await recall(inbox.map(\.id), except: recalled)
            if more.isEmpty { break }
            recalled.formUnion(more)
        }
        for device in try await store.users.devices(of: user, limit: PhonesLimits.devicesPerMessage) {
            _ = try await store.devices.delete(device.id, at: now)
        }
        return recalled
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
