import AudioToolbox
import CarillonCore
import CarillonDevice
import Foundation
import MobileCoreServices
import Testing
import UIKit
import UniformTypeIdentifiers
import UserNotifications

@testable import OSLog

private final class CarefulApp: UIResponder, UIApplicationDelegate {
    private(set) var heard: [Bool] = []
    private var listening: Task<Void, Never>?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        let changes = NotificationCenter.default.notifications(named: .NSProcessInfoPowerStateDidChange)
        listening = Task { [weak self] in
            for await _ in changes { self?.heard.append(ProcessInfo.processInfo.isLowPowerModeEnabled) }
        }
        AudioServicesPlaySystemSound(kSystemSoundID_Vibrate)
        return true
    }
}

@MainActor @Suite("What push apps import beside UIKit") struct FoundationOnAppleTests {
    @Test("Low Power Mode is told, also as an asynchronous sequence; a vibration is felt")
    func power() async throws {
        try await AppUnderTest.run({ CarefulApp() }) { app in
            try await app.open()
            app.phone.settings.setLowPowerMode(true)
            try await app.phone.settled()
            app.phone.settings.setLowPowerMode(false)
            try await app.phone.settled()
            #expect(app.delegate(as: CarefulApp.self)?.heard == [true, false])
            #expect(app.phone.deviceEvents.map(\.text) == ["vibration"])
        }
    }

    @Test("an action that asks for text is made like any other; rows and pools are there")
    func small() throws {
        let action = UNTextInputNotificationAction(identifier: "REPLY", title: "Reply")
        #expect(action.title == "Reply" && action.textInputButtonTitle.isEmpty && action.options == [])
        var path = IndexPath(row: 3, section: 1)
        path.section += 1
        #expect(path.row == 3 && path.section == 2 && path.item == 3 && path == IndexPath(item: 3, section: 2))
        #expect(IndexPath().row == 0 && IndexPath().section == 0)
        #expect(autoreleasepool { 5 } == 5 && CFAbsoluteTimeGetCurrent() > 700_000_000)
        #expect(
            UIImage(data: Data([1, 2]))?.pngData() == Data([1, 2]) && UIImage().jpegData(compressionQuality: 1) == nil)
    }

    @Test("a log shows what is for everybody, and hides other texts")
    func log() {
        let token = "abc"
        let message: OSLogMessage = "token \(token), \(token, privacy: .public), \(5), \(true), 100 %"
        #expect(message.text == "token <private>, abc, 5, true, 100 %")
        let aligned: OSLogMessage = "[\("ab", align: .right(columns: 4), privacy: .public)]"
        #expect(aligned.text == "[  ab]")
        #expect(
            OldLogFormat.text("%{public}@ and %@, %d of %ld, 5 %%", ["a", "b", 1, 2]) == "a and <private>, 1 of 2, 5 %")
        #expect(OldLogFormat.text("nothing: %@ %", []) == "nothing: <private> %")
        #expect(!OSLog.disabled.isEnabled(type: .error) && !OSLog.default.isEnabled(type: .debug))
        Logger(subsystem: "com.example", category: "push").debug("not written")
    }

    @Test("texts come from the app's strings, with their values; the key stands in for one that it lacks")
    func localized() async throws {
        var bundle = AppBundle(bundleID: "com.example.text", name: "Text", makeDelegate: { CarefulApp() })
        bundle.strings = ["%@ has %lld": "%@ hat %@", "Hello": "Hallo"]
        try await AppUnderTest.run(bundle) { app in
            try await app.open()
            var texts: [String] = []
            await app.phone.run(in: app.bundleID) {
                texts = [
                    String(localized: "Hello"), String(localized: "\("Ada") has \(5)"),
                    String(localized: "\("Ada") wants 100 % of \(5)", comment: "for translators"),
                ]
            }
            #expect(texts == ["Hallo", "Ada hat 5", "Ada wants 100 % of 5"])
        }
    }

    @Test("a rectangle is a dictionary and back; settings take values by key")
    func keyed() throws {
        let frame = CGRect(x: 1, y: 2, width: 3, height: 4.5)
        #expect(CGRect(dictionaryRepresentation: frame.dictionaryRepresentation) == frame)
        #expect(CGRect(dictionaryRepresentation: ["X": 1]) == nil)
        let settings = try #require(UserDefaults(suiteName: "foundation-on-apple-tests"))
        settings.setValue(5, forKey: "five")
        #expect(settings.value(forKey: "five") as? Int == 5)
        settings.setValue(nil, forKey: "five")
        #expect(settings.value(forKey: "five") == nil)
        #expect(UIColor(named: "brand") == nil && UIColor(cgColor: UIColor.red.cgColor) == UIColor.red)
        #expect(OldLogFormat.text("%{public}@", [["a": 1]]) == #"["a": 1]"#)
    }

    @Test("kinds of files are known by name, by ending and by MIME type")
    func types() {
        #expect(UTType(filenameExtension: "JPG") == .jpeg && UTType(mimeType: "video/mp4") == .mpeg4Movie)
        #expect(UTType.png.conforms(to: .image) && UTType.png.conforms(to: .data) && !UTType.png.conforms(to: .audio))
        #expect(UTType("public.nonsense") == nil && UTType(filenameExtension: "exe") == nil)
        #expect(UTType.gif.preferredFilenameExtension == "gif" && kUTTypeGIF as String == UTType.gif.identifier)
        #expect(UTType(filenameExtension: "png", conformingTo: .audio) == nil)
    }
}
