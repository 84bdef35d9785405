import CarillonCore

extension ServiceContext {
    /// Returns the badge number, removals and facts that bring an installation up to date.
    ///
    /// Every answer to an installation contains them.
    ///
    /// - Throws: ``Problem`` 404 if the device is not registered.
    func sync(_ device: String) async throws -> SyncAnswer {
        let answer = try await store.sync(device, limit: StoreLimits.removalsPerSync, at: clock.now)
        guard let answer else { throw Problem.noSuchDevice() }
        return answer
    }
}
