import CarillonCore
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

/// Permission, device token, sign-in and sign-out.
extension Carillon {
    /// Asks the person for permission to show notifications.
    ///
    /// Call it when the app can explain why it sends notifications. iOS asks the person once: later calls return the recorded
    /// answer. With `.provisional`, iOS does not ask, and delivers notifications to Notification Center without banner and sound
    /// ([provisional
    /// authorization](https://developer.apple.com/documentation/usernotifications/asking-permission-to-use-notifications)).
    ///
    /// - Parameter options: the permissions to ask for; the default is alerts, sounds and the badge.
    /// - Returns: the permission after the person has answered. The SDK reports it to the service asynchronously.
    @discardableResult
    public func requestAuthorization(
        options: UNAuthorizationOptions = [.alert, .sound, .badge]
    ) async -> UNAuthorizationStatus {
        do {
            _ = try await notifications.requestPermission(options)
        } catch {
            configuration.report(.notificationFailed(identifier: "permission", reason: "\(error)"))
        }
        let status = await readAuthorizationStatus()
        tasks.start { [self] in await exchange.register() }
        return status
    }

    /// Reads the person's permission from iOS, because the person may change it in Settings at any time.
    ///
    /// - Returns: the status, also stored in ``authorizationStatus``.
    func readAuthorizationStatus() async -> UNAuthorizationStatus {
        let current = await notifications.authorizationStatus()
        if current != authorizationStatus {
            authorizationStatus = current
            onAuthorizationChange?(current)
        }
        return current
    }

    /// Registers the device token with the service.
    ///
    /// Call it from `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`.
    ///
    /// - Parameter data: the token as iOS gave it.
    public func didRegisterForRemoteNotifications(withDeviceToken data: Data) {
        guard let token = DeviceToken(data) else {
            return configuration.report(.noDeviceToken(reason: "iOS gave a token of \(data.count) bytes"))
        }
        setup.isResolved { if case .noDeviceToken = $0 { true } else { false } }
        exchange.deviceToken = token
        tasks.start { [self] in await exchange.register() }
    }

    /// Reports that iOS gave no device token.
    ///
    /// Call it from `application(_:didFailToRegisterForRemoteNotificationsWithError:)`.
    ///
    /// - Parameter error: the error as iOS gave it.
    public func didFailToRegisterForRemoteNotifications(withError error: any Error) {
        configuration.report(.noDeviceToken(reason: "\(error)"))
    }

    /// Binds this installation of the app to the user who has signed in.
    ///
    /// The SDK asks ``Carillon/Configuration/signInToken`` for a new token and sends it to the service.
    public func signIn() {
        exchange.userChanged()
        store.update { $0.registration.signedIn() }
        store.save()
        tasks.start { [self] in await exchange.register() }
    }

    /// Signs the user out: removes the user's data from this phone, and unbinds this installation from the user at the service.
    ///
    /// Before this method returns, the SDK removes the user's notifications, inbox, badge and waiting handler calls from this
    /// phone, and ends the registered Live Activities. Notifications of the app itself and of other SDKs stay. The SDK informs the service as soon as it can be reached,
    /// if necessary after a relaunch. Until then every message counts as the former user's. The SDK does not show such a message
    /// in the foreground or from a silent push, does not pass it to the app, and removes it from Notification Center.
    public func signOut() async {
        exchange.userChanged()
        store.update { $0.registration.signedOut() }
        messages.decide { $0.signOut(at: $1.now) }
        handlers.forgetRemovals()
        store.updateInbox { $0 = InboxState() }
        await background.run("sign-out") {
            await store.saved()
            await messages.removeAll()
            await exchange.signOut()
        }
    }
}

/// Tags: words of the app's choice, by which a sender can select the audience of a message.
extension Carillon {
    /// The reason why a tag was refused.
    public enum TagError: Error, Sendable, Hashable {
        /// The tag is empty.
        case empty
        /// The tag is longer than 64 bytes of UTF-8.
        case tooLong(String)
        /// The installation would have more than 32 tags; the value is their number.
        case tooMany(Int)
    }

    /// The tags of this installation of the app, in the order in which they were set.
    ///
    /// A sender can select the audience of a message by tags. The tags are stored on the phone.
    public var tags: [String] { store.contents.tags ?? [] }

    /// Replaces all tags of this installation, and sends them to the service as soon as it can be reached.
    ///
    /// - Parameter tags: at most 32 tags, not counting duplicates, each of 1 to 64 bytes of UTF-8.
    /// - Throws: ``TagError`` for an invalid tag or too many tags; the tags are then unchanged.
    public func setTags(_ tags: [String]) throws(TagError) {
        var unique: [String] = []
        for tag in tags where !unique.contains(tag) {
            guard !tag.isEmpty else { throw .empty }
            guard tag.utf8.count <= AppLimits.tagBytes else { throw .tooLong(tag) }
            unique.append(tag)
        }
        guard unique.count <= AppLimits.tagsPerDevice else { throw .tooMany(unique.count) }
        store.update { [unique] in $0.tags = unique }
        store.save()
        tasks.start { [self] in await exchange.register() }
    }

    /// Adds tags to the tags of this installation.
    ///
    /// - Parameter tags: the tags to add; tags that are already set are ignored.
    /// - Throws: ``TagError`` for an invalid tag or too many tags; the tags are then unchanged.
    public func addTags(_ tags: [String]) throws(TagError) { try setTags(self.tags + tags) }

    /// Removes tags from the tags of this installation.
    ///
    /// - Parameter tags: the tags to remove; tags that are not set are ignored.
    public func removeTags(_ tags: [String]) {
        // A subset of accepted tags is always accepted.
        try? setTags(self.tags.filter { !tags.contains($0) })
    }
}

/// Aliases of types of other modules that the SDK's API uses, so that an app imports only `CarillonApp`.
///
/// The modules are not re-exported, because names such as `Payload`, `Timestamp` and `Alert` would collide with names of
/// SwiftUI and other SDKs.
extension Carillon {
    /// An event of the SDK that a developer should know of.
    public typealias Event = CarillonMessaging.CarillonEvent
    /// The id of a message.
    public typealias MessageID = CarillonCore.MessageID
    /// A JSON value in a payload.
    public typealias JSONValue = CarillonCore.JSONValue
}
