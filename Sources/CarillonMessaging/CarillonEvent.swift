import CarillonCore
import Foundation

#if canImport(os)
    import os
#endif

/// An event that a developer should know of; received by `Carillon.Configuration/report`, on any thread.
///
/// No event holds a device token, a secret or a message's text, so that all of them may be logged.
public enum CarillonEvent: Sendable, Hashable {
    /// A file of the store could not be decoded; it was renamed with the ending `corrupt`, and its contents start anew.
    case storeWasDamaged(file: String)
    /// The store cannot be read or written now, for instance before the phone's first unlock; changes are kept in memory.
    case storeIsUnavailable(reason: String)
    /// The app, or its extension, does not belong to this App Group; its own folder is used instead.
    ///
    /// So app and extension know nothing of one another. The name is misspelt, or the capability is missing.
    case appGroupIsUnusable(String)
    /// There is no topic: the program has no bundle id.
    case topicIsMissing
    /// The app is signed for another APNs environment than the configuration says: APNs refuses its device tokens.
    case environmentIsWrong(said: APNsEnvironment, signed: APNsEnvironment)
    /// The notification center has no delegate when launching is over: the app hears of no tap, and shows nothing in front.
    case centerDelegateIsMissing
    /// The notification center got its delegate after launching was over: the tap that launched the app is lost.
    case centerDelegateIsLate
    /// Another object, or a class that another SDK has made, takes the app's callbacks: a delegate was replaced or swizzled.
    case delegateWasReplaced(by: String)
    /// A notification has a category that the app has not declared, so it has no buttons.
    case categoryIsUnknown(String)
    /// Ten seconds after a tap `Carillon/appIsReady()` has not been called: so many responses wait for it.
    case appIsNotReady(waiting: Int)
    /// The app has ended twice while its handler dealt with this message or response, which is given up.
    case handlerNeverReturned(identifier: String)
    /// Another phone registers as this installation, from a backup of this phone's files; this phone registers as a new one.
    case installationWasCopied
    /// The service did not answer, or refused; what was to be sent is kept and sent again later.
    ///
    /// `request` is the method and the collection, for instance `POST receipts`.
    case serviceFailed(request: String, reason: String)
    /// A part of a push could not be understood; the rest of it was carried out.
    case pushNotUnderstood(reason: String)
    /// iOS gave no device token, or one that is none.
    case noDeviceToken(reason: String)
    /// A notification could not be added or removed.
    ///
    /// `identifier` is `permission` when iOS refused to ask the person, and `badge` when it refused the badge's number.
    case notificationFailed(identifier: String, reason: String)
    /// ``CarillonServiceExtension/decrypt(_:)`` threw; the notification is shown as it came.
    ///
    /// Only the error's type is reported, because an error may quote the text.
    case decryptionFailed(identifier: String, errorType: String)
    /// A notification is shown without its attachment.
    case attachmentFailed(identifier: String, reason: String)
    /// A completion handler was called in time, so many milliseconds after iOS had handed it over.
    case completed(name: String, milliseconds: Int64)
    /// A completion handler was called because its time was over; the work went on.
    case completionWasLate(name: String)
    /// A link of a `Carillon.DelegateChain` did not call its completion handler in time; the chain went on without it.
    case completionLeaked(name: String)
    /// A link of a `Carillon.DelegateChain` called its completion handler again; the call was ignored.
    case completionCalledTwice(name: String)
    /// Two links of a `Carillon.DelegateChain` have the same name, or gave different answers.
    case delegatesConflict(String)
}

extension CarillonEvent {
    /// Advice about a mistake in the app's own set-up; `nil` for an event that is none.
    public var advice: String? {
        switch self {
        case .appGroupIsUnusable(let group):
            "App and extension know nothing of one another: neither may use the App Group \(group). Check its spelling and the "
                + "capability App Groups of both targets."
        case .topicIsMissing:
            "There is no topic, so no push can reach this app: its bundle has no CFBundleIdentifier."
        case .environmentIsWrong(let said, let signed):
            "The configuration says \(said), and the app is signed for \(signed): APNs refuses its device tokens."
        case .noDeviceToken(let reason):
            "iOS gives no device token (\(reason)): add the capability Push Notifications to the app's target."
        case .serviceFailed(let request, let reason):
            "\(request) failed (\(reason)) and is sent again later: should this go on, check the service's address, and that it "
                + "has this app's topic and environment."
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

    /// Writes an event to the system's log, with its ``advice`` as an error; the default of `Carillon.Configuration.report`.
    ///
    /// On Linux only mistakes of the app's own are written, to the standard error.
    ///
    /// - Parameter event: holds no token, no secret and no text of a message.
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
