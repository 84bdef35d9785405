import CarillonCore
import CarillonDevice
import CarillonSimulator
import Foundation
import Logging
import SafariServices
import TestSupport
import Testing
import UIKit

@testable import Bulletin
@testable import CarillonPhones

/// The tutorial from both ends. `carillon push` takes the place of its Mac utility and sends its pushes over TLS and HTTP/2
/// to the APNs simulator. Its app, which knows nothing of this project, runs on the phone.
@MainActor @Suite("The tutorial's app, through APNs", .serialized) struct TutorialTests {
    private nonisolated static let topic = "app.bulletin"

    enum Credential: Sendable, CaseIterable { case key, certificate }

    /// Bulletin, allowed, with the token that it makes hexadecimal by itself.
    private func run(
        with credential: Credential, _ body: @MainActor (AppUnderTest, Sender) async throws -> Void
    ) async throws {
        let clock = SystemClock()
        let apns = try await APNsSimulator.start(
            SimulatorConfiguration(clock: clock, seed: 1, topics: [Self.topic]), logger: Logger(label: "tutorial"))
        let bundle = AppBundle(
            bundleID: Self.topic, name: "Bulletin", environment: .sandbox, main: { AppDelegate.main() })
        do {
            try await AppUnderTest.run(bundle, link: SimulatorPushLink(apns)) { app in
                try await app.openAndAllow()
                try await app.phone.until("the app has its token") { $0.deviceToken(of: Self.topic) != nil }
                try await app.phone.settled()
                let token = try #require(app.delegate(as: AppDelegate.self)?.token)
                try await body(app, Sender(apns: apns, credential: credential, token: token))
            }
            await apns.shutdown()
        } catch {
            await apns.shutdown()
            throw error
        }
    }

    private func tabs(_ app: AppUnderTest) throws -> UITabBarController {
        try #require(app.delegate(as: AppDelegate.self)?.window?.rootViewController as? UITabBarController)
    }

    private let first = """
        {"aps": {"alert": "Breaking News!", "sound": "default", "link_url": "https://example.com/news"}}
        """
    private let actionable = """
        {"aps": {"alert": "New Posts!", "sound": "default", "link_url": "https://example.com/posts", \
        "category": "NEWS_CATEGORY"}}
        """

    @Test(
        "its first push is shown with its sound, and its own key is there for the app", arguments: Credential.allCases)
    func breakingNews(credential: Credential) async throws {
        try await run(with: credential) { app, sender in
            try await app.suspend()
            try await sender.push(first, to: app)
            let content = try #require(app.phone.banner?.notification.request.content)
            #expect(content.body == "Breaking News!" && app.phone.sounds.map(\.name) == ["default"])
            let aps = content.userInfo["aps"] as? [String: AnyObject]
            #expect(aps?["link_url"] as? String == "https://example.com/news")
        }
    }

    @Test(
        "its action opens the link; a tap from a cold start opens the news; a silent push shows nothing and is answered"
    )
    func actionTapAndSilent() async throws {
        try await run(with: .key) { app, sender in
            try await app.suspend()
            try await sender.push(actionable, to: app)
            let shown = try #require(app.notifications.first?.request.identifier)
            #expect(app.phone.actions(of: shown, in: app.bundleID).map(\.title) == ["Read"])
            try await app.choose("READ", on: shown)
            let safari = try tabs(app).presentedViewController as? SFSafariViewController
            #expect(safari?.initialURL.absoluteString == "https://example.com/posts")

            try await app.forceQuit()
            try await sender.push(first, to: app)
            try await app.tap(#require(app.notifications.first?.request.identifier))
            #expect(try tabs(app).selectedIndex == 1)
            #expect(app.texts.contains("Breaking News!"))

            try await app.suspend()
            try await sender.push(#"{"aps": {"content-available": 1}}"#, to: app)
            #expect(app.phone.pushLog.last?.wake?.answer == .noData, "there is no feed to fetch")
            #expect(app.notifications.isEmpty)
        }
    }

    @Test("of several that are sent while the phone is off the network only the last one comes: a common issue")
    func queueOfOne() async throws {
        try await run(with: .certificate) { app, sender in
            try await app.suspend()
            await app.phone.goOffline()
            try await sender.send(first)
            try await sender.send(actionable)
            await app.phone.goOnline()
            try await app.phone.until("it has come") { $0.pushLog.last?.isFinished == true }
            #expect(app.notifications.map(\.request.content.body) == ["New Posts!"])
        }
    }

    /// Sends as the tutorial does with its Mac utility: a credential, a token, a request body, a button.
    struct Sender {
        let apns: APNsSimulator
        let credential: Credential
        let token: String

        @MainActor func push(_ payload: String, to app: AppUnderTest) async throws {
            let count = app.phone.pushLog.count
            try await send(payload)
            try await app.phone.until("the push has come") { $0.pushLog.count > count }
            try await app.phone.settled()
        }

        func send(_ payload: String) async throws {
            let folder = try TemporaryFolder()
            let authority = folder.url.appending(path: "ca.pem")
            try Data(apns.caCertificatePEM.utf8).write(to: authority)
            let run = try await CarillonProgram.run(
                [
                    "push", "--token", token, "--topic", TutorialTests.topic, "--payload", "-", "--url",
                    "https://localhost:\(apns.port)", "--ca", authority.path, "--timeout", "300",
                ] + credentialArguments(in: folder.url), input: payload)
            #expect(run.status == 0 && run.lines.first == "200 accepted", "\(run.transcript)")
        }

        private func credentialArguments(in folder: URL) throws -> [String] {
            switch credential {
            case .key:
                let key = folder.appending(path: "key.p8")
                try Data(apns.signingKeyPEM.utf8).write(to: key)
                return ["--key", key.path, "--key-id", apns.keyID, "--team-id", apns.teamID]
            case .certificate:
                let issued = try apns.issueClientCertificate(topics: [TutorialTests.topic])
                let file = folder.appending(path: "push.pem")
                try Data((issued.certificatePEM + "\n" + issued.privateKeyPEM).utf8).write(to: file)
                return ["--certificate", file.path]
            }
        }
    }
}
