import CarillonCore
import ServiceLifecycle

/// Stores the times at which API keys were last used, every ``ServiceLimits/keyUseInterval`` and when the service ends.
///
/// So no request of a backend waits until the database has recorded the use of the backend's key. If a time cannot be stored, it
/// is dropped, because the key's next use makes it out of date.
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
