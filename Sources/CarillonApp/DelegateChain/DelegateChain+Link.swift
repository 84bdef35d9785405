import CarillonCore
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

extension Carillon.DelegateChain {
    /// One delegate in a ``Carillon/DelegateChain``: Carillon, the app itself, or another SDK.
    ///
    /// Each callback is a closure. If a closure is `nil`, the chain neither calls the delegate with that callback nor waits for
    /// its answer.
    @MainActor
    public struct Link {
        /// A closure that returns whether a payload belongs to a delegate in the chain.
        public typealias Scope = (_ payload: [String: JSONValue]) -> Bool

        /// The name of this delegate, unique in its chain.
        ///
        /// The chain uses the name in its events, for example if the delegate does not call its completion handler.
        public var name: String
        /// Returns whether a payload belongs to this delegate.
        ///
        /// The chain forwards a notification to this delegate only if the result for its payload is `true`.
        public var handles: Scope
        /// The delegate's handler for `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`; `nil` if it has
        /// none.
        public var remoteNotification: (([AnyHashable: Any], @escaping (UIBackgroundFetchResult) -> Void) -> Void)?
        /// The delegate's handler for `userNotificationCenter(_:willPresent:withCompletionHandler:)`; `nil` if it has none.
        public var willPresent: ((UNNotification, @escaping (UNNotificationPresentationOptions) -> Void) -> Void)?
        /// The delegate's handler for `userNotificationCenter(_:didReceive:withCompletionHandler:)`; `nil` if it has none.
        public var didReceive: ((UNNotificationResponse, @escaping () -> Void) -> Void)?

        /// The delegate's handler for `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`; `nil` if it has none.
        public var didRegister: ((Data) -> Void)?
        /// The delegate's handler for `application(_:didFailToRegisterForRemoteNotificationsWithError:)`; `nil` if it has none.
        public var didFailToRegister: ((any Error) -> Void)?
        /// Called when this delegate is added to a chain; the argument is the closure in ``handles``.
        ///
        /// The closure returns whether a payload belongs to this delegate. Carillon stores the closure of its own delegate, and
        /// also calls it for notifications that do not come through the chain, such as those in the launch options.
        var wasAdded: (@escaping Scope) -> Void = { _ in }
        /// Returns whether this delegate is putting a notification back into Notification Center; called once for each
        /// notification.
        ///
        /// If the closure returns `true`, the chain shows the notification only in the list, without banner or sound.
        var takePutBack: (UNNotificationRequest) -> Bool = { _ in false }
        /// The delegate's handler for `userNotificationCenter(_:openSettingsFor:)`; `nil` if it has none.
        public var openSettings: ((UNNotification?) -> Void)?

        /// Makes a delegate in the chain from the callbacks that it implements.
        ///
        /// The callbacks may call their completion handlers on any thread.
        ///
        /// - Parameters:
        ///   - name: the delegate's name, unique in its chain.
        ///   - handles: returns whether a payload belongs to the delegate; the default accepts all payloads.
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

        /// Makes the delegate that forwards the chain's callbacks to Carillon.
        ///
        /// - Parameters:
        ///   - carillon: the app's `Carillon`.
        ///   - handles: returns whether a payload belongs to Carillon. The default accepts all, so the app receives every message
        ///     through ``Carillon/onMessage``. Carillon also calls this closure for notifications outside the chain: in scene
        ///     connections, at launch, and in the list of delivered notifications.
        /// - Returns: a delegate with all callbacks except ``openSettings``, because the app shows its own settings.
        public static func carillon(_ carillon: Carillon, handles: @escaping Scope = { _ in true }) -> Link {
            var link = Link(
                name: "Carillon", handles: handles,
                remoteNotification: { carillon.didReceiveRemoteNotification($0, fetchCompletionHandler: $1) },
                willPresent: { carillon.willPresent($0, withCompletionHandler: $1) },
                didReceive: { carillon.didReceive($0, withCompletionHandler: $1) },
                didRegister: { carillon.didRegisterForRemoteNotifications(withDeviceToken: $0) },
                didFailToRegister: { carillon.didFailToRegisterForRemoteNotifications(withError: $0) })
            link.wasAdded = { carillon.messages.scope = $0 }
            link.takePutBack = { carillon.messages.takePutBack($0) }
            return link
        }

        /// A closure for ``handles`` that accepts only payloads whose format Carillon does not understand, such as another SDK's
        /// payloads.
        public static let foreign: Scope = { PushInterpreter().instructions(for: $0).dialect == .foreign }
    }
}
