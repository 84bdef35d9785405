import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@MainActor @Suite("Erasing a phone, and its region") struct EraseTests {
    private let id = TestPhone.bundleID

    @Test("an erased phone is as when it was new: no apps, files, notifications or settings, and the token is void")
    func erased() async throws {
        let link = TokenLink()
        try await TestPhone.run(link: link) { test in
            let phone = test.phone
            await phone.boot()
            try await test.suspendedAllowed()
            let token = try #require(phone.deviceToken(of: id))
            let folder = try #require(phone.containerFolder(of: id))
            try Data("kept".utf8).write(to: folder.appending(path: "file"))
            try await test.push(["aps": ["alert": "A", "badge": 2, "sound": "default"]])
            phone.settings.setFocus(true)
            phone.settings.setMuted(true)
            await phone.settings.setDarkMode(true)
            phone.settings.setLocale(Locale(identifier: "ar_EG"))
            phone.copiedText = "secret"
            await phone.goOffline()
            await phone.lock()
            await phone.erase()
            #expect(phone.installedApps.isEmpty && phone.sounds.isEmpty && phone.copiedText == nil)
            #expect(
                !phone.settings.isFocusOn && !phone.settings.isMuted && !phone.settings.isDarkModeOn
                    && phone.settings.locale.identifier == "en_US")
            #expect(phone.isPoweredOn && !phone.isLocked && phone.isOnline)
            #expect(!FileManager.default.fileExists(atPath: folder.path) && link.invalidated == [token])

            try await test.openAllowed()
            #expect(phone.deliveredNotifications(of: id).isEmpty && phone.badge(of: id) == 0)
            #expect(phone.deviceToken(of: id) != token)
            let fresh = try #require(phone.containerFolder(of: id)).appending(path: "file")
            #expect(!FileManager.default.fileExists(atPath: fresh.path))
        }
    }

    @Test("a new region ends the apps, which are laid out in its direction from their next launch on")
    func region() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            @MainActor func direction() async -> UIUserInterfaceLayoutDirection? {
                var found: UIUserInterfaceLayoutDirection?
                await app.phone.run(in: id) { found = UIView.userInterfaceLayoutDirection(for: .unspecified) }
                return found
            }
            #expect(await direction() == .leftToRight)
            app.phone.settings.setLocale(Locale(identifier: "ar_EG"))
            #expect(app.phone.runningState(of: id) == .notRunning)
            try await app.phone.openApp(id)
            #expect(await direction() == .rightToLeft)
            app.phone.settings.setLocale(Locale(identifier: "ar_EG"))
            #expect(app.phone.runningState(of: id) == .foregroundActive, "it is set already")
        }
    }
}
