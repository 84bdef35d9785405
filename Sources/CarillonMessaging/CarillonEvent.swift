import CarillonCore
import Foundation

#if canImport(os)
    import os
#endif

/// An event that the app's developer should know about.
///
/// `Carillon.Configuration/report` receives the events, on any thread.
///
/// No event contains a device token, a secret or a message's text, so every event may be logged.
public enum CarillonEvent: Sendable, Hashable {
    /// The SDK could not decode a file of its store, and no longer uses the file.
    ///
    /// If the file belongs to the app (not to its service extension), the app adds `corrupt` to the file's name.
    case storeWasDamaged(file: String)
    /// The SDK's store cannot be read or written now, for instance before the phone's first unlock; changes are kept in memory.
    case storeIsUnavailable(reason: String)
    /// Another `Carillon` of this app uses the same files, so each overwrites the other's changes.
    case storeIsInUse
    /// The app or its extension is not entitled to this App Group, and keeps its files in its own container instead.
    ///
    /// App and extension then share no data. Either the group's name is misspelt, or the capability is missing.
    case appGroupIsUnusable(String)
    /// The running program has no bundle id, so it has no APNs topic.
    case topicIsMissing
    /// The app is signed for the APNs environment `signed`, but the configuration names `said`: APNs refuses its device tokens.
    case environmentIsWrong(said: APNsEnvironment, signed: APNsEnvironment)
    /// `UNUserNotificationCenter` has no delegate after the launch: the app receives no taps and shows no foreground
    /// notifications.
    case centerDelegateIsMissing
    /// `UNUserNotificationCenter` got its delegate only after the launch: the tap that launched the app is lost.
    case centerDelegateIsLate
    /// The delegate of the app or of `UNUserNotificationCenter` was replaced or swizzled, so another SDK may get the callbacks.
    ///
    /// `by` is the class of the present delegate.
    case delegateWasReplaced(by: String)
    /// A notification has a category that the app has not declared, so the notification has no buttons.
    case categoryIsUnknown(String)
    /// The app has not called `Carillon/appIsReady()` within 10 seconds after a tap.
    ///
    /// `waiting` is the number of responses that the SDK keeps back until this call.
    case appIsNotReady(waiting: Int)
    /// The app ended twice while its handler processed the message with this identifier, or the person's response to the message.
    ///
    /// The SDK drops the message or response without a further call.
    case handlerNeverReturned(identifier: String)
    /// A backup has copied this installation's id to another phone; this phone registers as a new installation.
    case installationWasCopied
    /// The service refused a request or did not answer; the SDK keeps the data and sends it again later.
    ///
    /// `request` is a short name of the request, for instance `POST receipts`.
    case serviceFailed(request: String, reason: String)
    /// The SDK did not understand a part of a push; it carried out the other parts.
    case pushNotUnderstood(reason: String)
    /// iOS gave no device token, or an invalid one.
    case noDeviceToken(reason: String)
    /// iOS did not add or remove a notification.
    ///
    /// `identifier` is the notification's identifier, or one of two special values: `permission` if iOS refused to ask the
    /// person, and `badge` if iOS refused the badge number.
    case notificationFailed(identifier: String, reason: String)
    /// The app gave no valid name for a Live Activity of this type, so the service cannot update it.
    case liveActivityHasNoName(type: String)
    /// ``CarillonServiceExtension/decrypt(_:)`` threw an error; the original notification is shown.
    ///
    /// Only the error's type is reported, because an error may quote the text.
    case decryptionFailed(identifier: String, errorType: String)
    /// A notification is shown without its attachment.
    case attachmentFailed(identifier: String, reason: String)
    /// The SDK called a completion handler in time, `milliseconds` after it had received the handler from iOS.
    ///
    /// `name` is the delegate method to which iOS passed the handler.
    case completed(name: String, milliseconds: Int64)
    /// The SDK called a completion handler because its time limit had passed, although work was still running.
    ///
    /// `name` is the delegate method to which iOS passed the handler.
    case completionWasLate(name: String)
    /// A delegate in a `Carillon.DelegateChain` did not call its completion handler in time; the chain went on without its
    /// answer.
    case completionLeaked(name: String)
    /// A delegate in a `Carillon.DelegateChain` called its completion handler again; the call was ignored.
    case completionCalledTwice(name: String)
    /// Two delegates in a `Carillon.DelegateChain` have the same name, or want one notification shown in different ways.
    case delegatesConflict(String)
}

extension CarillonEvent {
    /// Advice on how to correct a mistake in the app's set-up; `nil` for other events.
    public var advice: String? {
        switch self {
        case .appGroupIsUnusable(let group):
            "App and extension know nothing of one another: neither may use the App Group \(group). Check its spelling and the "
                + "capability App Groups of both targets."
        case .storeIsInUse:
            "The app has made two Carillon objects, which overwrite one another's files: make one, and keep it."
        case .topicIsMissing:
            "There is no topic, so no push can reach this app: its bundle has no CFBundleIdentifier."
        case .environmentIsWrong(let said, let signed):
            "The configuration says \(said), and the app is signed for \(signed): APNs refuses its device tokens."
        case .noDeviceToken(let reason):
            "iOS gives no device token (\(reason)): add the capability Push Notifications to the app's target."
        case .serviceFailed(let request, let reason):
            "\(request) failed (\(reason)) and is sent again later: should this go on, check the service's address, and that it "
                + "has this app's topic and environment."
        case .liveActivityHasNoName(let type):
            "The name of a \(type) has not 1 to 64 bytes of A-Z, a-z, 0-9, '.', '_' and '-', so the service cannot update it: see "
                + "CarillonLiveActivities.register(_:id:)."
        case .centerDelegateIsMissing:
            "The notification center has no delegate: set it before didFinishLaunchingWithOptions returns."
        case .centerDelegateIsLate:
            "The notification center got its delegate late: set it before didFinishLaunchingWithOptions returns."
        case .delegateWasReplaced(let type):
            "\(type) takes the app's callbacks: switch off the swizzling of the other SDK, and use a DelegateChain."
        case .categoryIsUnknown(let category):
            "The category \(category) is not declared: give it to setNotificationCategories(_:leavingUnread:) at each launch."
        case .handlerNeverReturned(let identifier):
            "The app ended twice while its handler dealt with \(identifier): does it crash there?"
        case .appIsNotReady(let waiting):
            "\(waiting) taps wait for appIsReady(): call it when the first scene has its window."
        case .completionLeaked(let name):
            "\(name) did not call its completion handler in time: each of its callbacks has to."
        case .completionCalledTwice(let name):
            "\(name) called its completion handler twice: iOS ends an app that does so without a DelegateChain."
        case .delegatesConflict(let what): "Two links of the DelegateChain are at odds: \(what)."
        default: nil
        }
    }

    /// Writes an event to the system's log; the default of `Carillon.Configuration.report`.
    ///
    /// An event with ``advice`` is logged as an error with that text. On Linux the method writes only events with advice, to
    /// standard error, and leaves out failed requests.
    ///
    /// - Parameter event: the event, which contains no tokens, secrets or message texts.
    public static func log(_ event: CarillonEvent) {
        #if canImport(os)
            let logger = Logger(subsystem: "Carillon", category: "events")
            if let advice = event.advice {
                logger.error("\(advice, privacy: .public)")
            } else if case .completed = event {
                logger.debug("\(String(describing: event), privacy: .public)")
            } else {
                logger.error("\(String(describing: event), privacy: .public)")
            }
        #else
            if case .serviceFailed = event { return }
            if let advice = event.advice { FileHandle.standardError.write(Data("Carillon: \(advice)\n".utf8)) }
        #endif
    }
}
