import CarillonCore
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

/// Permission, device token, sign-in.
extension Carillon {
    /// Asks the person for permission; best when the app can explain what for.
    ///
    /// iOS asks once: later calls repeat the recorded answer. With `.provisional` it does not ask, and notifications go quietly
    /// to the list
    /// ([provisional authorization](https://developer.apple.com/documentation/usernotifications/asking-permission-to-use-notifications)).
    ///
    /// - Parameter options: the default is alerts, sounds and the badge.
    /// - Returns: what the person allows from now on, as soon as they have answered; the service is told meanwhile.
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

    /// Reads what the person allows now; people may change it in Settings at any time.
    ///
    /// - Returns: the status, also kept in ``authorizationStatus``.
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
    /// To be called from `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`.
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
    /// To be called from `application(_:didFailToRegisterForRemoteNotificationsWithError:)`.
    ///
    /// - Parameter error: as iOS gave it.
    public func didFailToRegisterForRemoteNotifications(withError error: any Error) {
        configuration.report(.noDeviceToken(reason: "\(error)"))
    }

    /// Binds this installation to the user who has signed in to the app.
    ///
    /// The service is sent a new token of ``Carillon/Configuration/signInToken``.
    public func signIn() {
        exchange.userChanged()
        store.update { $0.registration.signedIn() }
        store.save()
        tasks.start { [self] in await exchange.register() }
    }

    /// Unbinds this installation from its user, who signs out of the app.
    ///
    /// The user's notifications, the inbox, the badge and what waits for a handler go from this phone before this returns;
    /// notifications of the app's own and of other SDKs stay. The service is told as soon as it can be reached, after a
    /// relaunch too; until then no silent push is shown.
    public func signOut() async {
        exchange.userChanged()
        store.update { $0.registration.signedOut() }
        messages.decide { $0.signOut(at: $1.now) }
        handlers.forgetRemovals()
        store.updateInbox { $0 = InboxState() }
        store.save()
        await background.run("sign-out") {
            await messages.removeAll()
            await exchange.register()
        }
    }
}

/// The words that the audience expressions of a `where` can test for.
extension Carillon {
    /// Why a tag was refused.
    public enum TagError: Error, Sendable, Hashable {
        /// A tag has at least one character.
        case empty
        /// A tag has at most 64 bytes of UTF-8.
        case tooLong(String)
        /// An installation has at most 32 tags; these would be so many.
        case tooMany(Int)
    }

    /// The tags of this installation, in the order in which they were set; kept on the phone.
    public var tags: [String] { store.contents.tags ?? [] }

    /// Replaces all tags; the service is told as soon as it can be reached.
    ///
    /// - Parameter tags: at most 32; one that is there twice counts once.
    /// - Throws: ``TagError``; the tags are unchanged then.
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

    /// Adds tags to those that are set.
    ///
    /// - Parameter tags: those that are set already change nothing.
    /// - Throws: ``TagError``; the tags are unchanged then.
    public func addTags(_ tags: [String]) throws(TagError) { try setTags(self.tags + tags) }

    /// Removes tags from those that are set.
    ///
    /// - Parameter tags: unknown ones change nothing.
    public func removeTags(_ tags: [String]) {
        // Fewer of what was accepted are accepted.
        try? setTags(self.tags.filter { !tags.contains($0) })
    }
}

/// The names of other modules that the SDK's API speaks in, for an app that imports `CarillonApp` alone.
///
/// Those modules are not re-exported: their names are plain (`Payload`, `Timestamp`, `Alert`), and SwiftUI and other SDKs have
/// such ones too.
extension Carillon {
    /// An event that a developer should know of.
    public typealias Event = CarillonMessaging.CarillonEvent
    /// The id of a message.
    public typealias MessageID = CarillonCore.MessageID
    /// A value of a payload.
    public typealias JSONValue = CarillonCore.JSONValue
}
