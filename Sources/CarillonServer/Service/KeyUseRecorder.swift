import CarillonCore
import ServiceLifecycle

/// Stores when API keys were last used, every ``ServiceLimits/keyUseInterval`` and at the end.
///
/// So no call of a backend waits for the database to record its own use. A use that cannot be stored is dropped, because the next
/// one tells more.
struct KeyUseRecorder: Service {
    let service: ServiceContext
    let keys: KeyCalls

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await service.clock.sleep(for: ServiceLimits.keyUseInterval)
                await store()
            }
        }
        await store()
    }

    private func store() async {
        let uses = service.apiKeys.withLock { $0.takeUses() }
        guard !uses.isEmpty else { return }
        try? await keys.noteUses(uses, at: service.clock.now)
    }
}
