import CarillonCore
import Foundation
import UIKit
import UserNotifications

/// One part of the app that wants to hear of notifications: Carillon, the app itself, another SDK. What it does not
/// implement is `nil`, and it is not asked.
@MainActor
public struct DelegateLink {
    /// Which payloads are for it.
    public typealias Scope = (_ payload: [String: JSONValue]) -> Bool

    /// For the developer's eyes: who leaked a handler, whose answers conflict. Different for every link of a chain.
    public var name: String
    public var handles: Scope
    public var remoteNotification: (([AnyHashable: Any], @escaping (UIBackgroundFetchResult) -> Void) -> Void)?
    public var willPresent: ((UNNotification, @escaping (UNNotificationPresentationOptions) -> Void) -> Void)?
    public var didReceive: ((UNNotificationResponse, @escaping () -> Void) -> Void)?

    /// - Parameter handles: the default is everything.
    public init(
        name: String, handles: @escaping Scope = { _ in true },
        remoteNotification: (([AnyHashable: Any], @escaping (UIBackgroundFetchResult) -> Void) -> Void)? = nil,
        willPresent: ((UNNotification, @escaping (UNNotificationPresentationOptions) -> Void) -> Void)? = nil,
        didReceive: ((UNNotificationResponse, @escaping () -> Void) -> Void)? = nil
    ) {
        self.name = name
        self.handles = handles
        self.remoteNotification = remoteNotification
        self.willPresent = willPresent
        self.didReceive = didReceive
    }

    /// Carillon. By default it handles every payload, so that the app hears of all messages in one place.
    public static func carillon(_ carillon: Carillon, handles: @escaping Scope = { _ in true }) -> DelegateLink {
        DelegateLink(
            name: "Carillon", handles: handles,
            remoteNotification: { carillon.handle(remoteNotification: $0, fetchCompletionHandler: $1) },
            willPresent: { carillon.willPresent($0, withCompletionHandler: $1) },
            didReceive: { carillon.didReceive($0, withCompletionHandler: $1) })
    }

    /// Payloads that speak none of the dialects that Carillon knows: the ones to pass on to another SDK.
    public static let foreign: Scope = { PushInterpreter().instructions(for: $0).dialect == .foreign }
}
