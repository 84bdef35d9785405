import CarillonCore
import CarillonDevice
import Foundation
import TestSupport
import Testing
import UIKit

@testable import Unchanged

@MainActor @Suite("An extension with the imports of Apple's platforms: os.log, CryptoKit, CommonCrypto")
struct UnchangedTests {
    private let id = "app.unchanged"

    private func run(_ body: @MainActor (TestPhone) async throws -> Void) async throws {
        try await TestPhone.run { test in
            test.phone.install(
                AppBundle(
                    bundleID: id, name: "Unchanged", appGroups: ["group.app.unchanged"],
                    makeDelegate: { NotesDelegate() },
                    makeServiceExtension: { NotificationService() }))
            try await test.phone.openApp(id)
            try test.phone.settings.setNotificationsAllowed(true, for: id)
            await test.phone.run(in: id) {
                NotificationService.remember(Data("secret".utf8), in: "group.app.unchanged")
            }
            await test.phone.pressHome()
            try await body(test)
        }
    }

    final class NotesDelegate: UIResponder, UIApplicationDelegate {}

    @Test("a push that was encrypted as OpenSSL does it is opened, and digests are those that others compute")
    func sealed() async throws {
        // printf 'Überraschung' | openssl enc -aes-256-cbc -K $(printf 'open sesame' | sha256sum) -iv 000102…0f | base64
        let sealed = "AAECAwQFBgcICQoLDA0OD0k3IDlTAVPM/zphPAomIzo="
        try await run { test in
            let before = NotificationService.pushCount
            let payload: JSONValue = [
                "aps": ["alert": ["title": "Letter", "body": "sealed"], "mutable-content": 1],
                "sealed": .string(sealed), "from": "ada",
            ]
            try await test.push(payload, collapseID: "m1", to: id)
            let content = try #require(test.phone.deliveredNotifications(of: id).first?.request.content)
            #expect(content.body == "Überraschung")
            #expect(content.threadIdentifier == "8c8d357b5e872bbacd45197626bd5759")
            #expect(content.subtitle == "3e001691")
            #expect(NotificationService.pushCount == before + 1)
        }
    }

    @Test("what cannot be opened has the text for it, and the cipher reads what it writes")
    func broken() async throws {
        let cipher = Cipher(password: "open sesame")
        let iv = Data(0..<16)
        for text in ["", "a", String(repeating: "b", count: 16), "Grüße 👋🏽"] {
            #expect(cipher.seal(text, iv: iv).flatMap(cipher.open) == text)
        }
        for wrong in [Data(), Data(count: 16), Data(count: 20), Data(count: 32)] { #expect(cipher.open(wrong) == nil) }
    }

    @Test("a file that imports Foundation alone has its sessions")
    func sessions() async {
        let answer = await withCheckedContinuation { done in URLSession.shared.fetch("") { done.resume(returning: $0) }
        }
        #expect(answer == nil)
    }
}
