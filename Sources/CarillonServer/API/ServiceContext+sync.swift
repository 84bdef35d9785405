import CarillonCore

extension ServiceContext {
    /// What an installation must know to be in step, answered to every contact.
    ///
    /// - Throws: 404 when the device is not registered.
    func sync(_ device: String) async throws -> SyncAnswer {
        let answer = try await store.sync(device, limit: ServiceLimits.removalsPerSync, at: clock.now)
        guard let answer else { throw Problem.noSuchDevice() }
        return answer
    }
}
