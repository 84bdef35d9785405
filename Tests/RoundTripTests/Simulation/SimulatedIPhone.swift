import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonServer
import CarillonSimulator
import Chime
import Foundation
import UserNotifications

@testable import CarillonPhones

/// A person's iPhone in the simulation, with Chime.
@MainActor
final class SimulatedIPhone {
    nonisolated static let topic = "com.example.chime"

    let user: String
    private let phone: Phone
    /// The messages that the person has read here by a tap.
    private(set) var tapped: Set<String> = []

    init(
        number: Int, user: String, folder: URL, service: URL, secret: Data, apns: APNsSimulator,
        clock: any CarillonClock
    ) {
        self.user = user
        phone = Phone(
            configuration: PhoneConfiguration(
                id: "phone-\(number)", name: "phone \(number) of \(user)", clock: clock, storage: folder,
                seed: UInt64(number)),
            link: SimulatorPushLink(apns))
        let chime = ChimeConfiguration(
            service: service,
            signInToken: {
                let now = clock.now
                return try SignInToken.make(
                    user: user, topic: Self.topic, issued: now, expires: now + .seconds(300), secret: secret)
            })
        phone.install(
            AppBundle(
                bundleID: Self.topic, name: "Chime", environment: apns.environment,
                appGroups: [ChimeConfiguration.appGroup], makeDelegate: { ChimeAppDelegate(configuration: chime) },
                makeServiceExtension: { ChimeNotificationService(configuration: chime) }))
    }

    /// Switches the phone on and allows notifications.
    func begin() async throws {
        await phone.boot()
        try await phone.openApp(Self.topic)
        try await phone.until("Chime asks") { $0.permissionSheet != nil }
        try await phone.answerPermission(allow: true)
        try await phone.until("it has a token") { $0.deviceToken(of: Self.topic) != nil }
    }

    var name: String { phone.name }
    var token: String? { phone.deviceToken(of: Self.topic)?.hexadecimal }
    var installation: String? { (phone.delegate(of: Self.topic) as? ChimeAppDelegate)?.carillon?.installationID }
    /// The notifications that are there to be seen.
    var listed: Set<String> { Set(phone.deliveredNotifications(of: Self.topic).map(\.request.identifier)) }

    /// Tells what the phone has done since it got the message.
    func account(of message: String) -> String {
        let first = phone.traces.firstIndex { $0.subject == message } ?? 0
        return phone.traces.dropFirst(first).map { "\($0)" }.joined(separator: "\n")
    }

    func goOffline() async { await phone.goOffline() }
    func goOnline() async { await phone.goOnline() }
    func forceQuit() async throws { try await phone.forceQuit(Self.topic) }

    func openApp() async throws {
        await phone.unlock()
        try await phone.openApp(Self.topic)
    }

    /// Leaves the app and comes back to it, so that it asks the service what it has missed.
    func reopenApp() async throws {
        await phone.pressHome()
        try await openApp()
    }

    func endApp() async throws {
        await phone.pressHome()
        try phone.system.terminate(Self.topic)
    }

    /// The person reads the newest notification, if there is one.
    func tapNewest() async throws {
        await phone.unlock()
        await phone.pressHome()
        guard let newest = phone.deliveredNotifications(of: Self.topic).last?.request.identifier else { return }
        try await phone.tap(newest, in: Self.topic)
        tapped.insert(newest)
    }

    /// Forgets a tap, because the message is there again with another text.
    func forgetTap(of message: String) { tapped.remove(message) }

    func shutDown() async { await phone.shutDown() }
}
