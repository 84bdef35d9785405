import CarillonDevice
import Foundation
import TestSupport
import Testing
import UIKit

/// Files, settings and the bundle: what apps find by Foundation's names.
@MainActor @Suite("A place per phone and app") struct PlaceTests {
    private static func bundle(
        _ id: String = "com.example.place", groups: Set<String> = [], resources: URL? = nil
    ) -> AppBundle {
        var bundle = AppBundle(bundleID: id, name: "Place", appGroups: groups, makeDelegate: { EmptyApp() })
        bundle.resources = resources
        return bundle
    }

    @Test("folders exist, are the app's own on this phone, and go with the app; two runs see the same")
    func folders() async throws {
        for _ in 0..<2 {
            try await AppUnderTest.run(Self.bundle()) { app in
                app.phone.rules.pushNeedsToken = false
                app.phone.install(Self.bundle("com.example.other"))
                try await app.phone.openApp("com.example.other")
                try await app.open()
                let home = try #require(app.phone.containerFolder(of: app.bundleID)).path
                let document = try await app.phone.value(in: app.bundleID) { () throws -> URL in
                    let files = FileManager.default
                    let folders = [
                        files.urls(for: .documentDirectory, in: .userDomainMask)[0],
                        files.urls(for: .cachesDirectory, in: .userDomainMask)[0],
                        try files.url(for: .libraryDirectory, in: .userDomainMask, appropriateFor: nil, create: false),
                        files.temporaryDirectory,
                    ]
                    for folder in folders {
                        #expect(folder.path.hasPrefix(home + "/") && files.fileExists(atPath: folder.path))
                        #expect(try files.contentsOfDirectory(atPath: folder.path).filter { $0 != "Caches" } == [])
                    }
                    let support = files.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
                    #expect(!files.fileExists(atPath: support.path))
                    let made = try files.url(
                        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
                    #expect(files.fileExists(atPath: made.path) && made.path == support.path)
                    let document = folders[0].appending(path: "Zürich 📄.txt")
                    try Data("x".utf8).write(to: document)
                    return document
                }
                let other = try await app.phone.value(in: "com.example.other") {
                    FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == [])
                #expect(FileManager.default.fileExists(atPath: document.path))
                try await app.phone.uninstall(app.bundleID)
                #expect(!FileManager.default.fileExists(atPath: document.path))
            }
        }
    }

    @Test(
        "a file manager that is kept, or handed on as Foundation's own, leads to the app too; outside it is the machine's"
    )
    func keptFileManager() async throws {
        let outside = FileManager.default.temporaryDirectory
        try await AppUnderTest.run(Self.bundle()) { app in
            app.phone.rules.pushNeedsToken = false
            app.phone.install(Self.bundle("com.example.other"))
            try await app.phone.openApp("com.example.other")
            try await app.open()
            let found = try await app.phone.value(in: app.bundleID) { KeptObjects().folder }
            #expect(found.path.hasPrefix(try #require(app.phone.containerFolder(of: app.bundleID)).path))
            #expect(FileManager.default.temporaryDirectory == outside)
        }
    }

    @Test("settings are the app's own on this phone, outlive its launches, and go with it")
    func settings() async throws {
        try await AppUnderTest.run(Self.bundle()) { app in
            app.phone.rules.pushNeedsToken = false
            app.phone.install(Self.bundle("com.example.other"))
            try await app.phone.openApp("com.example.other")
            try await app.open()
            try await app.phone.value(in: app.bundleID) {
                let settings = KeptObjects.settings
                settings.register(defaults: ["volume": 7, "name": "registered"])
                #expect(settings.integer(forKey: "volume") == 7 && settings.object(forKey: "nothing") == nil)
                settings.set(true, forKey: "isOn")
                settings.set(5, forKey: "count")
                settings.set(2.5, forKey: "ratio")
                settings.set("Zürich 📄", forKey: "name")
                settings.set(["a", "b"], forKey: "list")
                settings.set(URL(string: "https://example.com")!, forKey: "page")
                settings.set(Data([1]), forKey: "data")
                settings.set(Date(timeIntervalSince1970: 5), forKey: "date")
                settings.setValue("gone", forKey: "gone")
                settings.removeObject(forKey: "gone")
                settings.set(nil as String?, forKey: "ratio2")
            }
            #expect(
                try await app.phone.value(in: "com.example.other") { KeptObjects.settings.object(forKey: "count") }
                    == nil)
            try app.phone.system.terminate(app.bundleID)
            await app.phone.restart()
            await app.phone.unlock()
            try await app.open()
            try await app.phone.value(in: app.bundleID) {
                let settings = KeptObjects.settings
                #expect(settings.bool(forKey: "isOn") && settings.integer(forKey: "count") == 5)
                #expect(settings.double(forKey: "ratio") == 2.5 && settings.string(forKey: "name") == "Zürich 📄")
                #expect(settings.stringArray(forKey: "list") == ["a", "b"] && settings.value(forKey: "gone") == nil)
                #expect(settings.url(forKey: "page")?.absoluteString == "https://example.com")
                #expect(settings.data(forKey: "data") == Data([1]))
                #expect(settings.object(forKey: "date") as? Date == Date(timeIntervalSince1970: 5))
                #expect(
                    settings.object(forKey: "count") as? Int == 5 && settings.object(forKey: "isOn") as? Bool == true)
                #expect(settings.integer(forKey: "volume") == 0, "what was registered goes with the process")
                #expect(settings.dictionaryRepresentation()["name"] as? String == "Zürich 📄")
            }
            try await app.phone.uninstall(app.bundleID)
            app.phone.install(Self.bundle())
            try await app.open()
            #expect(try await app.phone.value(in: app.bundleID) { KeptObjects.settings.object(forKey: "count") } == nil)
        }
    }

    @Test("a suite is shared in an App Group, and the app's own name is none")
    func suites() async throws {
        let group = "group.example.place"
        try await AppUnderTest.run(Self.bundle(groups: [group])) { app in
            app.phone.rules.pushNeedsToken = false
            app.phone.install(Self.bundle("com.example.other", groups: [group]))
            try await app.phone.openApp("com.example.other")
            try await app.open()
            try await app.phone.value(in: app.bundleID) {
                UserDefaults(suiteName: group)?.set("shared", forKey: "word")
                UserDefaults(suiteName: "more/settings")?.set("own", forKey: "word")
                #expect(UserDefaults(suiteName: "com.example.place") == nil)
                #expect(UserDefaults.standard.string(forKey: "word") == nil)
            }
            let seen = try await app.phone.value(in: "com.example.other") {
                [group, "more/settings"].map { UserDefaults(suiteName: $0)?.string(forKey: "word") }
            }
            #expect(seen == ["shared", nil])
        }
    }

    @Test("a domain is read, replaced and removed as a whole; nothing of that reaches the machine's settings")
    func domains() async throws {
        try await AppUnderTest.run(Self.bundle()) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.open()
            try await app.phone.value(in: app.bundleID) {
                let settings = KeptObjects.settings
                settings.set("old", forKey: "word")
                settings.setPersistentDomain(["a": 1, "b": "x"], forName: "com.example.place")
                #expect(settings.persistentDomain(forName: "com.example.place")?.keys.sorted() == ["a", "b"])
                #expect(settings.string(forKey: "word") == nil && settings.string(forKey: "b") == "x")
                settings.setPersistentDomain(["a": 2], forName: "com.example.more")
                #expect(UserDefaults(suiteName: "com.example.more")?.integer(forKey: "a") == 2)
                settings.removePersistentDomain(forName: "com.example.place")
                #expect(settings.persistentDomain(forName: "com.example.place") == nil && settings.synchronize())
                settings.set("/tmp/a", forKey: "path")
                #expect(settings.url(forKey: "path")?.path == "/tmp/a" && settings.url(forKey: "none") == nil)
            }
        }
        #expect(UserDefaults.standard.persistentDomain(forName: "com.example.more")?.isEmpty ?? true)
        #expect(UserDefaults.standard.object(forKey: "com.example.place.word") == nil)
        #expect(UserDefaults.standard.url(forKey: "com.example.place.path") == nil)
    }

    @Test("the app's settings are not read before the first unlock, and not lost by a change then")
    func lockedSettings() async throws {
        try await AppUnderTest.run(Self.bundle()) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.open()
            try await app.phone.value(in: app.bundleID) { UserDefaults.standard.set("kept", forKey: "word") }
            await app.phone.restart()
            _ = try await app.push(["aps": ["content-available": 1]])
            let early = try await app.phone.value(in: app.bundleID) { () -> String? in
                UserDefaults.standard.set("lost", forKey: "other")
                return UserDefaults.standard.string(forKey: "word")
            }
            #expect(early == nil)
            await app.phone.unlock()
            #expect(
                try await app.phone.value(in: app.bundleID) { UserDefaults.standard.string(forKey: "word") } == "kept")
        }
    }

    @Test("the bundle has Info.plist, resources and texts of the folder, in the phone's language; loc-keys too")
    func mainBundle() async throws {
        let folder = try TemporaryFolder()
        try Self.write(folder.url)
        try await AppUnderTest.run(Self.bundle(resources: folder.url)) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.openAndAllow()
            try await app.phone.value(in: app.bundleID) {
                #expect(Bundle.main.bundleIdentifier == "com.example.place")
                #expect(Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String == "3.2")
                #expect(Bundle.main.object(forInfoDictionaryKey: "Channel") as? String == "com.example.place.beta")
                let sound = Bundle.main.url(forResource: "chime", withExtension: "caf")
                let bytes = try sound.map { try Data(contentsOf: $0) }
                #expect(bytes == Data("ring".utf8))
                #expect(Bundle.main.path(forResource: "none", ofType: "caf") == nil)
                #expect(NSLocalizedString("GREETING", comment: "") == "Hello")
                #expect(KeptObjects().text("GREETING") == "Hello")
                #expect(NSLocalizedString("CATALOGUED", tableName: "More", comment: "") == "From a catalogue")
                #expect(NSLocalizedString("NONE", value: "else", comment: "") == "else")
                #expect(Bundle.main.path(forResource: "de", ofType: "lproj") != nil)
            }
            try await app.suspend()
            let push = try await app.push(["aps": ["alert": ["loc-key": "COUNT", "loc-args": ["5"]]]])
            #expect(push.presentation?.list == true && app.notifications[0].request.content.body == "5 trains")
            app.phone.settings.setLocale(Locale(identifier: "de_CH"))
            try app.phone.system.terminate(app.bundleID)
            try await app.open()
            try await app.phone.value(in: app.bundleID) {
                #expect(NSLocalizedString("GREETING", comment: "") == "Grüezi")
                #expect(String(localized: "GREETING") == "Grüezi")
                #expect(NSLocalizedString("CATALOGUED", tableName: "More", comment: "") == "Aus einem Katalog")
            }
        }
        #expect(Bundle.main.bundleIdentifier != "com.example.place", "outside of any phone it is the program's")
    }

    @Test("an app without a folder has a bundle all the same")
    func bare() async throws {
        var bundle = Self.bundle()
        bundle.strings = ["GREETING": "Hi"]
        bundle.resources = URL(filePath: "/nowhere/at/all")
        try await AppUnderTest.run(bundle) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.open()
            try await app.phone.value(in: app.bundleID) {
                #expect(
                    Bundle.main.bundleIdentifier == "com.example.place"
                        && NSLocalizedString("GREETING", comment: "") == "Hi")
                #expect(Bundle.main.infoDictionary?["CFBundleDisplayName"] as? String == "Place")
                #expect(Bundle.main.urls(forResourcesWithExtension: "caf", subdirectory: nil) ?? [] == [])
            }
        }
    }

    private static func write(_ folder: URL) throws {
        func file(_ path: String, _ text: String) throws {
            let url = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        try file(
            "App/Info.plist",
            """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
            <key>CFBundleShortVersionString</key><string>3.2</string>
            <key>Channel</key><string>$(PRODUCT_BUNDLE_IDENTIFIER).beta</string></dict></plist>
            """)
        try file("App/Sounds/chime.caf", "ring")
        try file("App/Model.swift", "nothing")
        try file("en.lproj/Localizable.strings", #"/* Said first. */ "GREETING" = "Hello"; "COUNT" = "%@ trains";"#)
        try file("de.lproj/Localizable.strings", #""GREETING" = "Grüezi";"#)
        try file(
            "More.xcstrings",
            """
            {"sourceLanguage": "en", "version": "1.0", "strings": {"CATALOGUED": {"localizations": {
            "en": {"stringUnit": {"state": "translated", "value": "From a catalogue"}},
            "de": {"stringUnit": {"state": "translated", "value": "Aus einem Katalog"}}}}}}
            """)
    }
}

private final class EmptyApp: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {}
}
