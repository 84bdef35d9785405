import CarillonCore
import CarillonDevice

/// The state of a phone that the next start restores.
extension PagePhone {
    /// Saves what has changed; the longer that takes, the less often, so that a flood is not held up by it.
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
