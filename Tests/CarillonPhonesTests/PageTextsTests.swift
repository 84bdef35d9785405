import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@testable import CarillonPhones

@MainActor @Suite("The texts of the page's apps, by language") struct PageTextsTests {
    private let push: JSONValue = [
        "aps": ["alert": ["loc-key": .string(PageTexts.key), "loc-args": ["Jenna", "Frank"]]]
    ]

    @Test("a phone of each region shows a localized alert in its own language", arguments: PhoneRegion.all.map(\.id))
    func shown(region: String) async throws {
        let folder = URL.temporaryDirectory.appending(
            path: "texts-\(region)-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try PageTexts.write(to: folder)
        var bundle = AppBundle(bundleID: "com.example.texts", name: "Texts", makeDelegate: { TextsApp() })
        bundle.resources = folder
        try await AppUnderTest.run(bundle) { app in
            app.phone.rules.pushNeedsToken = false
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.phone.perform(.setLocale(region))
            try await app.push(push)
            let language = try #require(Locale(identifier: region).language.languageCode?.identifier)
            let format = try #require(PageTexts.formats[language])
            #expect(app.notifications.map(\.request.content.body) == [String(format: format, "Jenna", "Frank")])
        }
    }

    @Test("a folder that cannot be written is one sentence that names it")
    func refused() throws {
        let file = URL.temporaryDirectory.appending(path: "no-folder-\(ProcessInfo.processInfo.processIdentifier)")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let error = #expect(throws: LocalStackError.self) { try PageTexts.write(to: file) }
        #expect(
            error?.description.contains("\(file.path)/") == true
                && error?.description.contains("cannot be written") == true)
    }
}

private final class TextsApp: UIResponder, UIApplicationDelegate {}
