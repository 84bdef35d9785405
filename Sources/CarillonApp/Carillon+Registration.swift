import CarillonCore
import Foundation
import UIKit
import UserNotifications

/// Permission, device token, sign-in.
extension Carillon {
    /// How to ask for permission.
    public enum PermissionRequest: Sendable, Hashable {
        /// The system's sheet, once; afterwards iOS repeats the recorded answer.
        case ask
        /// No sheet: notifications go quietly to the list until the person decides there.
        case provisional
    }

    /// Asks now, or later, when the app can explain what for.
    ///
    /// - Returns: what holds from now on.
    @discardableResult
    public func requestPermission(_ request: PermissionRequest = .ask) async -> PermissionState {
        var options: UNAuthorizationOptions = [.alert, .sound, .badge]
        if request == .provisional { options.insert(.provisional) }
        do {
            _ = try await screen.requestPermission(options)
        } catch {
            configuration.report(.notificationFailed(identifier: "permission", reason: "\(error)"))
        }
        let permission = await readPermission()
        await serviceLane.run { [self] in await register() }
        return permission
    }

    /// What holds now; the person may change it in Settings at any time.
    public func readPermission() async -> PermissionState {
        let current = await screen.permission()
        if current != permission {
            permission = current
            onPermissionChange?(current)
        }
        return current
    }

    /// To be called from `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`.
    public func didRegister(deviceToken data: Data) {
        guard let token = DeviceToken(data) else {
            configuration.report(.noDeviceToken(reason: "iOS gave a token of \(data.count) bytes"))
            return
        }
        deviceToken = token
        tasks.start { [self] in await serviceLane.run { [self] in await register() } }
    }

    /// To be called from `application(_:didFailToRegisterForRemoteNotificationsWithError:)`.
    public func didFailToRegister(error: any Error) {
        configuration.report(.noDeviceToken(reason: "\(error)"))
    }

    /// Somebody has signed in to the app: the service is told, with a fresh sign-in token.
    public func signIn() {
        store.update { $0.registration.signedIn() }
        tasks.start { [self] in await serviceLane.run { [self] in await register() } }
    }

    /// The person signs out: their notifications and the badge go from this phone now, and the service unbinds it as
    /// soon as it can be reached, after a relaunch too. Until then nothing silent is shown.
    public func signOut() async {
        store.update { [now = clock.now] contents in
            contents.registration.signedOut()
            contents.policy.signOut(at: now)
        }
        emptyInbox()
        await screenLane.run { [self] in
            await screen.removeAll()
            await setBadge(0, saidAt: nil)
        }
        await serviceLane.run { [self] in await register() }
    }
}
