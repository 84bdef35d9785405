import CarillonCore

extension ServiceContext {
    /// Returns the state that an installation must adopt: its unread count, the messages to remove, and the service's time.
    ///
    /// Every answer to an installation contains this state.
    ///
    /// - Throws: ``Problem`` 404 if the device is not registered.
    func sync(_ device: String) async throws -> SyncAnswer {
        let answer = try await store.sync(device, limit: StoreLimits.removalsPerSync, at: clock.now)
        guard let answer else { throw Problem.noSuchDevice() }
        return answer
    }
}
