import CarillonCore
import CarillonServer
import CarillonSimulator

/// Resets a running `carillon up` to the state that it had when it was started for the first time.
struct DemoReset: Sendable {
    let stack: LocalStack
    let phoneHost: PhoneHost

    /// Recalls the page's messages, erases the phones, deletes their former installations, and empties timeline and log.
    ///
    /// - Throws: the store's errors. Part of the state may be reset then; another call completes it.
    func run() async throws {
        let (store, app, now) = (stack.store, stack.app.number, stack.clock.now)
        let former = try await store.users.devices(
            of: UserReference(LocalStack.user, of: app), limit: PhonesLimits.devicesPerMessage)
        let rules = SendingRules(assuredWait: PhonesLimits.assuredWait)
        for message in stack.pageState.withIndex({ $0.messages }) {
            _ = try await store.messages.recall(
                MessageReference(message, of: app), notice: nil, rules, by: .program, at: now)
        }
        for entry in stack.directory.entries { await phoneHost.phone(entry.id)?.reset() }
        for device in former { _ = try await store.devices.delete(device.id, at: now) }
        stack.simulator.devices.rules.expiry = .strict
        stack.episodes.reset()
        stack.pageState.forget()
    }
}
