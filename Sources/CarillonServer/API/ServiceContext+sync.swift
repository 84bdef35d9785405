import CarillonCore

extension ServiceContext {
    /// Returns the state that an installation needs to be in step; it is part of every answer to an installation.
    ///
    /// - Throws: 404 if the device is not registered.
    func sync(_ device: String) async throws -> SyncAnswer {
        let answer = try await store.sync(device, limit: StoreLimits.removalsPerSync, at: clock.now)
        guard let answer else { throw Problem.noSuchDevice() }
        return answer
    }
}
