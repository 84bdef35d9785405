import CarillonCore
import CarillonDevice

/// Saves the state of a phone, which the next start restores.
extension PagePhone {
    /// Saves changes until the task is cancelled.
    ///
    /// The pause between two writes grows with the duration of a write, so that writes do not delay many pushes at once.
    func keepMemory() async {
        for await _ in memoryIsStale.stream {
            let begin = clock.uptime
            remember()
            let pause = (clock.uptime - begin) * PhonesLimits.phoneSaveShare
            try? await clock.sleep(for: max(PhonesLimits.phoneSaveInterval, pause))
        }
    }

    func remember() {
        guard let saved = try? phone.savedState(of: bundle.bundleID) else { return }
        memory.write(
            PhoneMemory.Contents(
                app: app.id, state: saved, installation: installation, token: directory.tokens(of: id).app?.hex,
                settings: savedSettings))
    }
}
