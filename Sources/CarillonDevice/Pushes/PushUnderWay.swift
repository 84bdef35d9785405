import CarillonCore
import Foundation

/// A push that has arrived and has not been dealt with: what it says, whose it is, and its entry among the traces.
@MainActor struct PushUnderWay {
    let push: IncomingPush
    let content: PushContent
    let app: InstalledApp
    let entry: TraceEntry
    /// Answered once the app has been called, for whoever handed the phone the push.
    let reached: PendingAnswer<Void>

    /// Whether it is nothing but a reason to wake its app.
    var isSilent: Bool { !content.payload.aps.isVisible }
    var isWake: Bool { content.payload.aps.contentAvailable }

    /// Whether there is something for the person to see, and what is to be said where there would be.
    func visibility(_ rules: PhoneRules) -> (isShown: Bool, note: String?) {
        guard !isSilent else { return (false, nil) }
        guard push.pushType != .background || !rules.keeps(.backgroundPushShowsNothing) else {
            return (false, "not shown: alert, badge and sound have no effect in a background push")
        }
        return (true, nil)
    }

    /// The identifier of its notification.
    ///
    /// - Parameters:
    ///   - rules: iOS's rules.
    ///   - random: makes one up.
    /// - Returns: what the list knows it by.
    func notificationID(_ rules: PhoneRules, random: () -> UUID) -> String {
        if let collapseID = push.collapseID, rules.keeps(.identifierIsCollapseID) { return collapseID }
        return rules.identifierIsAPNsID ? push.apnsID.uuidString : random().uuidString
    }
}
