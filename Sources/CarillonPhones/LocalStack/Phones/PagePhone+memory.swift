import CarillonCore
import CarillonDevice

/// Saves the state of a phone to a file; the next start of `carillon up` restores it.
extension PagePhone {
    /// Saves the phone's state after each change, until the task is cancelled.
    ///
    /// The pause after a write grows with the write's duration, so that writing delays only few pushes.
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
