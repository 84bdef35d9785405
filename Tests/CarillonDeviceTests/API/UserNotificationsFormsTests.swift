import CarillonDevice
import CoreLocation
import Foundation
import Swift4App
import Testing
import UIKit
import UserNotifications

/// Calls and subclasses of Apple's API: code that compiles in an app compiles here, with Apple's defaults.
@Suite("The forms of UserNotifications") struct UserNotificationsFormsTests {
    @Test("content starts out as on iOS, and is mutable only in a mutable copy")
    func content() throws {
        let empty = UNNotificationContent()
        #expect(empty.title.isEmpty && empty.subtitle.isEmpty && empty.body.isEmpty && empty.badge == nil)
        #expect(empty.sound == nil && empty.attachments.isEmpty && empty.userInfo.isEmpty)
        #expect(empty.interruptionLevel == .active && empty.relevanceScore == 0 && empty.summaryArgumentCount == 1)
        #expect(empty.targetContentIdentifier == nil && empty.filterCriteria == nil && empty.launchImageName.isEmpty)
        let mutable = try #require(empty.mutableCopy() as? UNMutableNotificationContent)
        (mutable.title, mutable.badge, mutable.userInfo) = ("changed", 0, ["a": [1, 2]])
        #expect(empty.title.isEmpty && mutable.isEqual(empty) == false)
        let copy = try #require(mutable.copy() as? UNNotificationContent)
        #expect(!(copy is UNMutableNotificationContent) && copy == mutable && copy.hash == mutable.hash)
        mutable.title = "changed again"
        #expect(copy.title == "changed")
        let request = UNNotificationRequest(identifier: "m1", content: mutable, trigger: nil)
        #expect(!(request.content is UNMutableNotificationContent))
    }

    @Test("no description tells what a notification says")
    func descriptions() {
        let content = UNMutableNotificationContent()
        (content.title, content.body, content.userInfo) = ("secret title", "secret body", ["key": "secret value"])
        let request = UNNotificationRequest(identifier: "m1", content: content, trigger: nil)
        for object in [content, request, content.copy()] as [Any] {
            #expect(!"\(object)".contains("secret") && "\(object)".hasPrefix("<UN"))
        }
    }

    @Test("actions and categories have every initialiser, with Apple's defaults")
    func actions() {
        let plain = UNNotificationAction(identifier: "a", title: "A")
        #expect(plain.options == [] && plain.icon == nil)
        let icon = UNNotificationActionIcon(templateImageName: "picture")
        #expect(UNNotificationAction(identifier: "a", title: "A", options: .foreground, icon: icon).icon == icon)
        let text = UNTextInputNotificationAction(
            identifier: "a", title: "A", options: [], icon: nil, textInputButtonTitle: "Send",
            textInputPlaceholder: "Text")
        #expect(text.textInputButtonTitle == "Send" && text.textInputPlaceholder == "Text" && text.icon == nil)
        let short = UNNotificationCategory(identifier: "c", actions: [plain], intentIdentifiers: [])
        #expect(short.options == [] && short.hiddenPreviewsBodyPlaceholder.isEmpty && short.categorySummaryFormat == "")
        let hidden = UNNotificationCategory(
            identifier: "c", actions: [], intentIdentifiers: ["INSendMessageIntent"],
            hiddenPreviewsBodyPlaceholder: "hidden", options: .customDismissAction)
        #expect(hidden.hiddenPreviewsBodyPlaceholder == "hidden" && hidden.intentIdentifiers.count == 1)
        let full = UNNotificationCategory(
            identifier: "c", actions: [], intentIdentifiers: [], hiddenPreviewsBodyPlaceholder: nil,
            categorySummaryFormat: "%u more")
        #expect(full.categorySummaryFormat == "%u more" && Set([short, hidden, full]).count == 3)
    }

    @Test("sounds are told apart")
    func sounds() {
        let bell = UNNotificationSoundName("bell.caf")
        #expect(bell == UNNotificationSoundName(rawValue: "bell.caf") && bell.rawValue == "bell.caf")
        let sounds: [UNNotificationSound] = [
            .default, .defaultRingtone, .defaultCritical, .defaultCriticalSound(withAudioVolume: 0.5),
            UNNotificationSound(named: bell), .ringtoneSoundNamed(bell), .criticalSoundNamed(bell),
            .criticalSoundNamed(bell, withAudioVolume: 0.5),
        ]
        #expect(Set(sounds).count == sounds.count && UNNotificationSound.default == .default)
    }

    @Test("code in Swift 4 mode compiles, with a sound that is a function")
    func swift4() {
        let request = reminder("Tea")
        #expect(request.content.sound == .default && request.identifier == "Tea")
        #expect(remoteNotification(in: [.remoteNotification: ["aps": ["badge": 1]]])?.count == 1 && isOver(.invalid))
    }

    @Test("a location trigger keeps a copy of its region")
    func location() {
        let region = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 52.52, longitude: 13.405), radius: 100, identifier: "home")
        #expect(region.notifyOnEntry && region.notifyOnExit)
        let trigger = UNLocationNotificationTrigger(region: region, repeats: true)
        region.notifyOnExit = false
        #expect(trigger.region.notifyOnExit && trigger.repeats && trigger.region.identifier == "home")
        #expect(region.contains(CLLocationCoordinate2D(latitude: 52.5208, longitude: 13.405)))
        #expect(!region.contains(CLLocationCoordinate2DMake(52.5210, 13.405)))
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    }

    /// A coder such as apps' tests write to make objects that have no other initialiser.
    private final class ResponseCoder: NSCoder {
        let request: UNNotificationRequest

        init(_ request: UNNotificationRequest) { self.request = request }

        override var allowsKeyedCoding: Bool { true }

        override func decodeObject(forKey key: String) -> Any? {
            switch key {
            case "request": request
            case "date": Date(timeIntervalSince1970: 1_800_000_000)
            case "notification": UNNotification(coder: self)
            case "actionIdentifier": UNNotificationDefaultActionIdentifier
            default: nil
            }
        }
    }

    @Test("a response can be made by a coder of a test's own")
    func handMadeResponse() throws {
        let content = UNMutableNotificationContent()
        content.userInfo = ["article": 7]
        let request = UNNotificationRequest(identifier: "m1", content: content, trigger: nil)
        let response = try #require(UNNotificationResponse(coder: ResponseCoder(request)))
        #expect(response.actionIdentifier == UNNotificationDefaultActionIdentifier)
        #expect(response.notification.request.content.userInfo["article"] as? Int == 7)
        #expect(response.notification.date == Date(timeIntervalSince1970: 1_800_000_000))
    }

    private final class SettingsCoder: NSCoder {
        override func decodeInt64(forKey key: String) -> Int64 {
            key == "authorizationStatus" ? Int64(UNAuthorizationStatus.authorized.rawValue) : 0
        }

        override func decodeBool(forKey key: String) -> Bool { true }
    }

    private final class MockSettings: UNNotificationSettings, @unchecked Sendable {  // `@unchecked`: has no state
        override var alertSetting: UNNotificationSetting { .enabled }
    }

    @Test("settings can be made by a coder of a test's own, and subclassed")
    func handMadeSettings() throws {
        let settings = try #require(UNNotificationSettings(coder: SettingsCoder()))
        #expect(settings.authorizationStatus == .authorized && settings.soundSetting == .notSupported)
        let mock = try #require(MockSettings(coder: SettingsCoder()))
        #expect(mock.alertSetting == .enabled && mock.providesAppNotificationSettings)
    }

    @Test("an app finds the folders of its own groups only, and may read the file of an attachment")
    func files() async throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "carillon-forms-\(ProcessInfo.processInfo.processIdentifier).png")
        try Data(count: 4).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(file.startAccessingSecurityScopedResource() && UIImage(contentsOfFile: file.path) != nil)
        file.stopAccessingSecurityScopedResource()
        #expect(UIImage(contentsOfFile: file.path + ".none") == nil)
        try await TestPhone.run { @MainActor test in
            test.install(appGroups: ["group.chime"]) { AskingApp($0) }
            try await test.phone.openApp(TestPhone.bundleID)
            var found: [Bool] = []
            await test.phone.run(in: TestPhone.bundleID) {
                found = ["group.chime", "group.other"].map {
                    FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0) != nil
                }
            }
            #expect(found == [true, false])
        }
        #expect(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.none") == nil)
    }
}
