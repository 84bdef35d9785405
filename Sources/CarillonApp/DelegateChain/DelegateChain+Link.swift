import CarillonCore
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

extension Carillon.DelegateChain {
    /// One part of the app that receives iOS's callbacks about notifications: Carillon, the app itself, or another SDK.
    ///
    /// A callback that it does not implement is `nil`, and the chain does not wait for it.
    @MainActor
    public struct Link {
        /// Says whether a payload is for a link.
        public typealias Scope = (_ payload: [String: JSONValue]) -> Bool

        /// Names the link in events: whose handler was not called, whose answers conflict; unique in its chain.
        public var name: String
        /// Which payloads are for the link.
        public var handles: Scope
        /// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
        public var remoteNotification: (([AnyHashable: Any], @escaping (UIBackgroundFetchResult) -> Void) -> Void)?
        /// `userNotificationCenter(_:willPresent:withCompletionHandler:)`.
        public var willPresent: ((UNNotification, @escaping (UNNotificationPresentationOptions) -> Void) -> Void)?
        /// `userNotificationCenter(_:didReceive:withCompletionHandler:)`.
        public var didReceive: ((UNNotificationResponse, @escaping () -> Void) -> Void)?

        /// `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`.
        public var didRegister: ((Data) -> Void)?
        /// `application(_:didFailToRegisterForRemoteNotificationsWithError:)`.
        public var didFailToRegister: ((any Error) -> Void)?
        /// Called with ``handles`` when the link is added: not all that iOS tells goes through the chain.
        var wasAdded: (@escaping Scope) -> Void = { _ in }
        /// Whether the notification with this identifier is one that the link puts back into the list.
        var isPuttingBack: (String) -> Bool = { _ in false }
        /// `userNotificationCenter(_:openSettingsFor:)`.
        public var openSettings: ((UNNotification?) -> Void)?

        /// Makes a link out of the callbacks that it implements; their completion handlers may be called on any thread.
        ///
        /// - Parameters:
        ///   - name: unique in the chain.
        ///   - handles: which payloads are for it; the default is all.
        ///   - remoteNotification: called for a remote notification; the default is none.
        ///   - willPresent: called for a notification in the foreground; the default is none.
        ///   - didReceive: called for what a person did with a notification; the default is none.
        ///   - didRegister: called with the device token; the default is none.
        ///   - didFailToRegister: called with the reason why there is no device token; the default is none.
        ///   - openSettings: called when the person asks for the app's own notification settings; the default is none.
        public init(
            name: String, handles: @escaping Scope = { _ in true },
            remoteNotification: (([AnyHashable: Any], @escaping (UIBackgroundFetchResult) -> Void) -> Void)? = nil,
            willPresent: ((UNNotification, @escaping (UNNotificationPresentationOptions) -> Void) -> Void)? = nil,
            didReceive: ((UNNotificationResponse, @escaping () -> Void) -> Void)? = nil,
            didRegister: ((Data) -> Void)? = nil, didFailToRegister: ((any Error) -> Void)? = nil,
            openSettings: ((UNNotification?) -> Void)? = nil
        ) {
            self.name = name
            self.handles = handles
            self.remoteNotification = remoteNotification
            self.willPresent = willPresent
            self.didReceive = didReceive
            self.didRegister = didRegister
            self.didFailToRegister = didFailToRegister
            self.openSettings = openSettings
        }

        /// The link for Carillon.
        ///
        /// - Parameters:
        ///   - carillon: the app's.
        ///   - handles: which payloads are for it, whichever way they come: through the chain, with a scene, at launch, or in the
        ///     list. The default is all, so that the app hears of every message through ``Carillon/onMessage``.
        /// - Returns: a link with all callbacks but ``openSettings``, since the settings are the app's own.
        public static func carillon(_ carillon: Carillon, handles: @escaping Scope = { _ in true }) -> Link {
            var link = Link(
                name: "Carillon", handles: handles,
                remoteNotification: { carillon.didReceiveRemoteNotification($0, fetchCompletionHandler: $1) },
                willPresent: { carillon.willPresent($0, withCompletionHandler: $1) },
                didReceive: { carillon.didReceive($0, withCompletionHandler: $1) },
                didRegister: { carillon.didRegisterForRemoteNotifications(withDeviceToken: $0) },
                didFailToRegister: { carillon.didFailToRegisterForRemoteNotifications(withError: $0) })
            link.wasAdded = { carillon.messages.scope = $0 }
            link.isPuttingBack = { carillon.messages.isPuttingBack($0) }
            return link
        }

        /// Payloads in none of the dialects that Carillon understands: those to pass on to another SDK.
        public static let foreign: Scope = { PushInterpreter().instructions(for: $0).dialect == .foreign }
    }
}
