import CarillonCore
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

extension Carillon.DelegateChain {
    /// One receiver of iOS's notification callbacks: Carillon, the app itself, or another SDK.
    ///
    /// A callback that it does not implement is `nil`, and the chain does not wait for it.
    @MainActor
    public struct Link {
        /// Returns whether a payload belongs to a link.
        public typealias Scope = (_ payload: [String: JSONValue]) -> Bool

        /// The link's name in events, for example about an uncalled handler; unique in its chain.
        public var name: String
        /// Decides which payloads belong to the link.
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
        /// Called with ``handles`` when the link is added.
        ///
        /// Carillon needs it for pushes that do not come through the chain.
        var wasAdded: (@escaping Scope) -> Void = { _ in }
        /// Returns whether the link itself is putting the notification with this identifier back into the list.
        var isPuttingBack: (String) -> Bool = { _ in false }
        /// `userNotificationCenter(_:openSettingsFor:)`.
        public var openSettings: ((UNNotification?) -> Void)?

        /// Makes a link from the callbacks that it implements.
        ///
        /// Their completion handlers may be called on any thread.
        ///
        /// - Parameters:
        ///   - name: unique in the chain.
        ///   - handles: decides which payloads belong to the link; the default is all.
        ///   - remoteNotification: called for a remote notification; the default is none.
        ///   - willPresent: called for a notification in the foreground; the default is none.
        ///   - didReceive: called for a person's response to a notification; the default is none.
        ///   - didRegister: called with the device token; the default is none.
        ///   - didFailToRegister: called with the error if iOS gives no device token; the default is none.
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

        /// Makes the link for Carillon.
        ///
        /// - Parameters:
        ///   - carillon: the app's `Carillon`.
        ///   - handles: decides which payloads belong to Carillon, also outside the chain: with a scene, at launch, or in the
        ///     list. The default is all, so the app receives every message through ``Carillon/onMessage``.
        /// - Returns: a link with all callbacks except ``openSettings``, since the settings are the app's own.
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

        /// Accepts payloads in none of the dialects that Carillon understands: the payloads for another SDK.
        public static let foreign: Scope = { PushInterpreter().instructions(for: $0).dialect == .foreign }
    }
}
