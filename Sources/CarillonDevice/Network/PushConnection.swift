import CarillonCore
import Foundation
@_spi(Simulation) import PushKit
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The phone's connection to a simulated APNs: device tokens and incoming pushes.
@MainActor final class PushConnection: PartWithApps {
    /// The state of one of an app's tokens: its device token, or its VoIP token.
    struct TokenState {
        var token: Data?
        var isRegistered = false
        /// Whether the app has requested the token, and must wait until the phone has a network.
        var isWaiting = false
    }

    struct AppState {
        var push = TokenState()
        /// The state of the token for VoIP pushes.
        var calls = TokenState()
    }

    private let kernel: PhoneKernel
    private let phoneID: String
    private let device: DeviceState
    private let apps: InstalledApps
    private let life: AppLife
    private let link: (any PushLink)?
    /// Called after each attempt to connect: after booting, and when the network is back.
    var whenAttempted: [@MainActor () -> Void] = []
    /// The tokens that ended while the phone was offline, so that APNs still takes them for valid.
    private var endedTokens: [Data] = []
    private var perApp = PerApp(AppState())

    /// Makes the connection of a phone, without opening it.
    ///
    /// - Parameters:
    ///   - life: the part of the phone that launches apps and ends them.
    ///   - phoneID: the phone's ID.
    ///   - link: the connection to a simulated APNs; without one, the phone generates tokens itself.
    init(life: AppLife, phoneID: String, link: (any PushLink)?) {
        kernel = life.kernel
        self.phoneID = phoneID
        device = life.device
        apps = life.apps
        self.life = life
        self.link = link
    }

    // MARK: state of an app

    func isRegistered(_ app: InstalledApp) -> Bool { perApp[app].push.isRegistered }

    /// Returns the app's newest device token; `nil` if the app has none.
    func token(of app: InstalledApp) -> Data? { perApp[app].push.token }

    /// Returns the app's newest token for VoIP pushes; `nil` if the app has none.
    func callToken(of app: InstalledApp) -> Data? { perApp[app].calls.token }

    /// Returns the reason why a real backend could not have sent this push: the app has no device token.
    ///
    /// Returns `nil` if the app has a token, and for push types other than `alert` and `background`, which use other tokens.
    func missingToken(for push: IncomingPush) -> String? {
        guard [.alert, .background].contains(push.pushType), let app = apps[push.topic], token(of: app) == nil else {
            return nil
        }
        if !isRegistered(app) {
            return "did not arrive: the app has no device token, since it has not called registerForRemoteNotifications"
        }
        return device.network.isOnline
            ? "did not arrive: the app has registered, and has got no device token"
            : "did not arrive: the app has no device token yet, because the phone was offline when it registered"
    }

    func installed(_ app: InstalledApp, updating old: InstalledApp?) {
        perApp.install(app, updating: old) { new, old in
            new.push.token = old.push.token
            new.push.isRegistered = old.push.isRegistered
            new.calls.token = old.calls.token
        }
    }

    func deleted(_ app: InstalledApp) { perApp.remove(app) }

    // MARK: the connection

    /// Connects the phone to the simulated APNs and fetches the tokens that apps wait for; does nothing without power or network.
    ///
    /// - Parameter deliver: called with each push, on the main queue.
    func connect(_ deliver: @escaping @MainActor @Sendable (IncomingPush) -> Void) async {
        defer { for action in whenAttempted { action() } }
        guard device.isPoweredOn, device.network.isOnline else { return }
        await link?.connect(phone: phoneID) { [mailbox = kernel.mailbox] push in mailbox.post { deliver(push) } }
        tellOfEnds()
        for app in apps.all where perApp[app].push.isWaiting { fetchToken(for: app) }
        for app in apps.all where perApp[app].calls.isWaiting { fetchVoIPToken(for: app) }
    }

    /// Gets a new token for pushes of a type with tokens of its own: for a Live Activity, for widgets or for a control.
    func newToken(_ type: CarillonCore.PushType, for app: InstalledApp) async -> Result<Data, any Error> {
        await token(for: app, topic: app.bundle.bundleID + type.topicSuffix, earlier: nil, isNew: true)
    }

    /// Tells the simulated APNs that tokens have ended: at once, or when the phone has a network.
    func retire(_ tokens: [Data]) {
        endedTokens += tokens
        tellOfEnds()
    }

    private func tellOfEnds() {
        guard device.isPoweredOn, device.network.isOnline, !endedTokens.isEmpty else { return }
        let tokens = endedTokens
        endedTokens = []
        kernel.tasks.begin("telling the push service of ended tokens") { [link] in
            for token in tokens { await link?.invalidate(token) }
        }
    }

    /// Makes an app follow these broadcast channels and no others.
    ///
    /// - Returns: the reason why it cannot; `nil` if it follows them.
    func follow(_ channels: [String], of app: InstalledApp) async -> String? {
        do {
            try await link?.follow(channels, of: app.bundle.bundleID, phone: phoneID)
            return nil
        } catch {
            return "\(error)"
        }
    }

    func disconnect() async { await link?.disconnect(phone: phoneID) }

    // MARK: device tokens

    func register(_ app: InstalledApp) {
        perApp[app].push.isRegistered = true
        perApp[app].push.isWaiting = true
        if device.network.isOnline { fetchToken(for: app) }
    }

    func unregister(_ app: InstalledApp) {
        perApp[app].push.isRegistered = false
        perApp[app].push.isWaiting = false
        guard let token = perApp[app].push.token else { return }
        perApp[app].push.token = nil
        let bundleID = app.bundle.bundleID
        kernel.tasks.begin("telling the push service that \(bundleID) has unregistered") { [link] in
            await link?.invalidate(token)
        }
    }

    /// Returns the app's device token and VoIP token, which become invalid when the app is deleted.
    func tokens(of app: InstalledApp) -> [Data] { [token(of: app), callToken(of: app)].compactMap(\.self) }

    /// Tells the simulated APNs that the tokens of a deleted app are invalid.
    func invalidate(_ tokens: [Data]) async {
        guard kernel.rules.keeps(.newTokenAfterReinstall), kernel.rules.keeps(.deletedTokenIsInvalid) else { return }
        for token in tokens { await link?.invalidate(token) }
    }

    /// Fetches the app's device token, and reports the token or the error to the app delegate as soon as the app runs.
    private func fetchToken(for app: InstalledApp) {
        perApp[app].push.isWaiting = false
        kernel.tasks.begin("the device token of \(app.bundle.bundleID)") { [self] in
            let result = await token(for: app, topic: app.bundle.bundleID, earlier: perApp[app].push.token)
            guard let process = life.process(of: app), apps.has(app) else { return }
            if case .success(let token) = result { perApp[app].push.token = token }
            ProcessScheduler.shared.run(as: process, "didRegisterForRemoteNotifications") {
                let application = process.application
                switch result {
                case .success(let token):
                    application.delegate?.application(
                        application, didRegisterForRemoteNotificationsWithDeviceToken: token)
                case .failure(let error):
                    application.delegate?.application(
                        application, didFailToRegisterForRemoteNotificationsWithError: error)
                }
            }
        }
    }

    // MARK: tokens for calls

    /// Handles a change of the push types that an app requests from PushKit: fetches or invalidates the VoIP token.
    func desired(_ registry: PKPushRegistry, by process: AppProcess) {
        guard let app = apps[process.bundle.bundleID], life.process(of: app) === process else { return }
        if registry.desiredPushTypes?.contains(.voIP) ?? false {
            guard app.bundle.backgroundModes.contains(.voip) else { return }
            perApp[app].calls.isWaiting = true
            if device.network.isOnline { fetchVoIPToken(for: app) }
        } else if process.callRegistry == nil, perApp[app].calls.token != nil {
            perApp[app].calls.token = nil
            process.voIPToken.value = nil
            ProcessScheduler.shared.run(as: process, "didInvalidatePushTokenFor") {
                registry.callDelegate { $0.pushRegistry($1, didInvalidatePushTokenFor: .voIP) }
            }
        }
    }

    /// Fetches the app's VoIP token, and reports it to the app's PushKit registry.
    private func fetchVoIPToken(for app: InstalledApp) {
        perApp[app].calls.isWaiting = false
        kernel.tasks.begin("the VoIP token of \(app.bundle.bundleID)") { [self] in
            let topic = app.bundle.bundleID + PushType.voip.topicSuffix
            guard let token = try? await token(for: app, topic: topic, earlier: perApp[app].calls.token).get(),
                let process = life.process(of: app), apps.has(app)
            else { return }
            perApp[app].calls.token = token
            process.voIPToken.value = token
            let credentials = PKPushCredentials(type: .voIP, token: token)
            ProcessScheduler.shared.run(as: process, "didUpdate pushCredentials") {
                process.callRegistry?.callDelegate { $0.pushRegistry($1, didUpdate: credentials, for: .voIP) }
            }
        }
    }

    /// Gets a token for an app.
    ///
    /// - Parameters:
    ///   - app: the app that asks for the token.
    ///   - topic: the app's bundle ID; for a VoIP token, with the suffix `.voip`.
    ///   - earlier: the token that the phone itself generated for the app before; ignored if the phone has a ``PushLink``.
    ///   - isNew: whether the token must be new although the app has one for this topic; the default is `false`.
    /// - Returns: the token, or the error for the app.
    private func token(
        for app: InstalledApp, topic: String, earlier: Data?, isNew: Bool = false
    ) async -> Result<Data, any Error> {
        guard let environment = app.bundle.environment else { return .failure(Self.noEntitlement) }
        guard let link else { return .success(earlier ?? kernel.randomBytes(PhoneLimits.tokenBytes)) }
        let request = TokenRequest(phone: phoneID, topic: topic, environment: environment, isNew: isNew)
        do {
            return .success(try await link.deviceToken(for: request))
        } catch {
            return .failure(error)
        }
    }

    /// The error for an app without the entitlement `aps-environment`, with iOS's own text.
    private static let noEntitlement = NSError(
        domain: NSCocoaErrorDomain, code: 3000,
        userInfo: [
            NSLocalizedDescriptionKey: "no valid “aps-environment” entitlement string found for application"
        ])
}
