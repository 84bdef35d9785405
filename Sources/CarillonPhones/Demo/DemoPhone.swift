import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonSimulator
import Chime
import Foundation
import UIKit
import UserNotifications

/// One of the user's two iPhones, with Chime installed.
///
/// It performs the user's actions and reports what the phone shows.
@MainActor
final class DemoPhone {
    let id: String
    let name: String
    private let phone: Phone

    init(
        id: String, name: String, folder: URL, service: DemoService, simulator: APNsSimulator,
        carriesOutRecalls: Bool, clock: any CarillonClock
    ) {
        self.id = id
        self.name = name
        phone = Phone(
            configuration: PhoneConfiguration(
                id: id, name: name, clock: clock, storage: folder, seed: UInt64.random(in: .min ... .max)),
            link: SimulatorPushLink(simulator))
        let chime = ChimeConfiguration(
            service: service.backend.service, carriesOutRecalls: carriesOutRecalls,
            signInToken: { try await service.signInToken(for: DemoEnvironment.user, now: clock.now) })
        phone.install(
            AppBundle(
                bundleID: DemoEnvironment.topic, name: "Chime", environment: simulator.environment,
                appGroups: [ChimeConfiguration.appGroup], usesScenes: true,
                makeDelegate: { ChimeAppDelegate(configuration: chime) }))
    }

    // MARK: - What the user does

    func boot() async { await phone.boot() }
    func openChime() async throws { try await phone.openApp(DemoEnvironment.topic) }
    func allowNotifications() async throws { try await phone.answerPermission(allow: true) }
    func lock() async { await phone.lock() }
    func tap(_ id: String) async throws { try await phone.tap(id, in: DemoEnvironment.topic) }
    func goOffline() async { await phone.goOffline() }
    func goOnline() async { await phone.goOnline() }

    /// Terminates the app while it is in the background, as iOS does to free memory.
    func endChime() throws { try phone.system.terminate(DemoEnvironment.topic) }

    // MARK: - What the phone shows

    var showsPermissionSheet: Bool { phone.permissionSheet?.bundleID == DemoEnvironment.topic }
    var isLocked: Bool { phone.isLocked }
    var badge: Int { phone.badge(of: DemoEnvironment.topic) }
    var banner: String? { phone.banner?.notification.request.identifier }
    var listed: [String] { phone.deliveredNotifications(of: DemoEnvironment.topic).map(\.request.identifier) }

    func lists(_ id: String) -> Bool { listed.contains(id) }

    /// The link of the news item on Chime's screen; `nil` if Chime shows no news item.
    var newsItem: String? {
        guard case .item(let item)? = chime?.screen else { return nil }
        return item.link?.absoluteString
    }

    /// Returns how often the phone has shown the notification in a banner or on the lock screen.
    func alertCount(for id: String) -> Int {
        shownTraces(of: id).count { $0.presentation?.banner == true || $0.presentation?.lockScreen == true }
    }

    func everShowed(_ id: String) -> Bool { !shownTraces(of: id).isEmpty }

    /// Returns the phone's explanation of a message: where it was shown or why it was not, and whether its push woke the app.
    ///
    /// Returns `nil` if the phone received no push of the message.
    func why(_ id: String) -> String? {
        guard let trace = phone.traces.last(where: { $0.collapseID == id || $0.notificationID == id }) else {
            return nil
        }
        let wake = trace.wake.map { [$0.why] } ?? []
        let outstanding = trace.isFinished ? [] : ["not finished yet"]
        return ((trace.presentation?.why ?? []) + wake + trace.notes + outstanding).joined(separator: ", ")
    }

    /// The id of Chime's installation at the service; `nil` until Chime has registered.
    var installation: String? { chime?.carillon?.installationID }

    private var chime: ChimeAppDelegate? { phone.delegate(of: DemoEnvironment.topic) as? ChimeAppDelegate }

    private func shownTraces(of id: String) -> [PushTrace] {
        phone.traces.filter { $0.notificationID == id && $0.presentation?.isShown == true }
    }
}
