import CarillonCore
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

/// Permission, device token, sign-in and sign-out.
extension Carillon {
    /// Asks the person for permission to show notifications.
    ///
    /// Ask when the app can explain its reason. iOS asks once: later calls return the recorded answer. With `.provisional` iOS
    /// does not ask, and delivers notifications quietly to the list ([provisional
    /// authorization](https://developer.apple.com/documentation/usernotifications/asking-permission-to-use-notifications)).
    ///
    /// - Parameter options: the default is alerts, sounds and the badge.
    /// - Returns: the permission after the person has answered. The service is informed in the background.
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

    /// Reads the person's permission, which may change in Settings at any time.
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
            configuration.report(.noDeviceToken(reason: "iOS gave a token of \(data.count) bytes"))
            return
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

    /// Binds this installation to the user who has signed in to the app.
    ///
    /// The SDK asks ``Carillon/Configuration/signInToken`` for a new token and sends it to the service.
    public func signIn() {
        exchange.userChanged()
        store.update { $0.registration.signedIn() }
        store.save()
        tasks.start { [self] in await exchange.register() }
    }

    /// Unbinds this installation from its user, who signs out of the app.
    ///
    /// Before this returns, the user's notifications, inbox, badge and waiting handler calls are removed from this phone.
    /// Notifications of the app itself and of other SDKs stay. The SDK informs the service as soon as it can be reached, if
    /// necessary after a relaunch; until then it shows no message of a silent push.
    public func signOut() async {
        exchange.userChanged()
        store.update { $0.registration.signedOut() }
        messages.decide { $0.signOut(at: $1.now) }
        handlers.forgetRemovals()
        store.updateInbox { $0 = InboxState() }
        await background.run("sign-out") {
            await store.saved()
            await messages.removeAll()
            await exchange.register()
        }
    }
}

/// Tags: the words that a `where` expression of an audience can test for.
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

    /// The tags of this installation, in the order in which they were set.
    ///
    /// They are stored on the phone.
    public var tags: [String] { store.contents.tags ?? [] }

    /// Replaces all tags, and sends them to the service as soon as it can be reached.
    ///
    /// - Parameter tags: at most 32, without counting duplicates.
    /// - Throws: ``TagError``; the tags are then unchanged.
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

    /// Adds tags to the existing ones.
    ///
    /// - Parameter tags: the tags to add; tags that are already set are ignored.
    /// - Throws: ``TagError``; the tags are then unchanged.
    public func addTags(_ tags: [String]) throws(TagError) { try setTags(self.tags + tags) }

    /// Removes tags from the existing ones.
    ///
    /// - Parameter tags: the tags to remove; tags that are not set are ignored.
    public func removeTags(_ tags: [String]) {
        // A subset of accepted tags is always accepted.
        try? setTags(self.tags.filter { !tags.contains($0) })
    }
}

/// Aliases of types that the SDK's API uses and other modules declare, so that an app imports only `CarillonApp`.
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
