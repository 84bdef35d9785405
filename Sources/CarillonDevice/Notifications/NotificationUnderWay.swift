@_spi(Simulation) import UserNotifications

/// A notification on its way to the screen, from a push or from the app itself.
///
/// It knows its app and its entry among the traces.
@MainActor struct NotificationUnderWay {
    let request: UNNotificationRequest
    let app: InstalledApp
    let isRemote: Bool
    let entry: TraceEntry
    /// The number of its work among the phone's ``OutstandingTasks``.
    let task: Int
    /// Answered once the app has been called, for the caller that handed the phone the push.
    let reached: PendingAnswer<Void>

    var bundleID: String { app.bundle.bundleID }
}
