/// A part of the phone that handles pushes which are no notifications: those for Live Activities, widgets or controls.
@MainActor protocol PushReceiver: PartWithApps {
    /// Handles a push, and notes in its trace entry what happened to it.
    ///
    /// - Returns: whether the push is for this part; `false` leaves the push to the caller.
    func receive(_ push: IncomingPush, of app: InstalledApp, _ entry: TraceEntry) -> Bool

    /// Returns the reason why a real sender could not have sent this push directly to the phone: there is no token for it.
    func missingToken(for push: IncomingPush) -> String?
}
