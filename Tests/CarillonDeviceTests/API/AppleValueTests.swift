import CoreLocation
import Foundation
import Intents
import Testing
import UIKit
@_spi(Simulation) import UserNotifications

@Suite("Apple's value classes") struct AppleValueTests {
    private func request() -> UNNotificationRequest {
        let content = UNMutableNotificationContent()
        (content.title, content.body, content.badge) = ("Title", "Body", 3)
        content.userInfo = ["aps": ["alert": "Body"], "article": 7]
        content.sound = .criticalSoundNamed(UNNotificationSoundName("bell.caf"), withAudioVolume: 0.5)
        content.interruptionLevel = .timeSensitive
        return UNNotificationRequest(
            identifier: "m1", content: content,
            trigger: UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true))
    }

    @Test("a request's content is a copy: changing the original afterwards changes nothing")
    func copies() throws {
        let content = UNMutableNotificationContent()
        content.title = "before"
        let request = UNNotificationRequest(identifier: "m1", content: content, trigger: nil)
        content.title = "after"
        #expect(request.content.title == "before")
        let mutable = try #require(request.content.mutableCopy() as? UNMutableNotificationContent)
        mutable.title = "changed"
        #expect(request.content.title == "before" && request.content != mutable)
        #expect(request.content == request.content.copy() as? UNNotificationContent)
    }

    @Test("a request survives secure archiving")
    func archiving() throws {
        let original = request()
        let data = try NSKeyedArchiver.archivedData(withRootObject: original, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: UNNotificationRequest.self, from: data)
        #expect(read == original)
        #expect(read?.content.userInfo["article"] as? Int == 7)
        #expect((read?.trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval == 60)
    }

    @Test("categories can be put in a set, told apart by what they say, and archived")
    func categories() throws {
        let action = UNTextInputNotificationAction(
            identifier: "reply", title: "Reply", options: [.foreground],
            icon: UNNotificationActionIcon(systemImageName: "arrow"), textInputButtonTitle: "Send",
            textInputPlaceholder: "Text")
        let one = UNNotificationCategory(identifier: "news", actions: [action], intentIdentifiers: [])
        let same = UNNotificationCategory(identifier: "news", actions: [action], intentIdentifiers: [])
        let other = UNNotificationCategory(identifier: "news", actions: [], intentIdentifiers: [])
        #expect(Set([one, same, other]).count == 2)
        let data = try NSKeyedArchiver.archivedData(withRootObject: one, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: UNNotificationCategory.self, from: data) == one)
    }

    @Test("an error is caught by its code, and is an NSError of Apple's domain")
    func errors() {
        do {
            throw UNError(.notificationsNotAllowed)
        } catch UNError.notificationsNotAllowed {
            let error = UNError(.notificationsNotAllowed) as NSError
            #expect(error.domain == UNErrorDomain && error.code == 1)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("the raw values are Apple's")
    func rawValues() {
        #expect(UNAuthorizationOptions([.alert, .badge, .sound]).rawValue == 7)
        #expect(UNNotificationPresentationOptions([.list, .banner]).rawValue == 24)
        #expect(UNAuthorizationStatus.ephemeral.rawValue == 4)
        #expect(UNError.Code.badgeInputInvalid.rawValue == 1600)
        #expect(UIBackgroundFetchResult.failed.rawValue == 2)
        #expect(UIScene.ActivationState.unattached.rawValue == -1)
    }

    @Test("a calendar trigger fires when the calendar shows its components")
    func calendarTrigger() throws {
        var components = DateComponents()
        (components.hour, components.minute, components.timeZone) = (9, 30, TimeZone(identifier: "UTC"))
        let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        let data = try NSKeyedArchiver.archivedData(withRootObject: trigger, requiringSecureCoding: true)
        #expect(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: UNCalendarNotificationTrigger.self, from: data) == trigger)
    }

    typealias Value = NSObject & NSCopying & NSSecureCoding

    /// One object of a class, one that is told apart from it, and how to read it from an archive.
    struct Sample: CustomTestStringConvertible, @unchecked Sendable {  // `@unchecked`: immutable
        let one: any Value
        let other: any Value
        let read: (Data) throws -> NSObject?

        var testDescription: String { "\(type(of: one))" }

        init<Class: Value>(_ one: Class, _ other: Class) {
            self.one = one
            self.other = other
            read = { try NSKeyedUnarchiver.unarchivedObject(ofClass: Class.self, from: $0) }
        }
    }

    private static func content(_ title: String) -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        (content.title, content.subtitle, content.threadIdentifier) = (title, "Subtitle", "thread")
        (content.categoryIdentifier, content.launchImageName) = ("category", "image")
        (content.targetContentIdentifier, content.filterCriteria, content.relevanceScore) = ("target", "filter", 0.5)
        content.userInfo = ["aps": ["alert": ["title": title]], "list": [1, "two", true, 2.5]]
        return content
    }

    private static func request(_ identifier: String) -> UNNotificationRequest {
        UNNotificationRequest(identifier: identifier, content: content("Title"), trigger: UNPushNotificationTrigger())
    }

    private static func notification(_ identifier: String) -> UNNotification {
        UNNotification(date: Date(timeIntervalSince1970: 1_800_000_000), request: request(identifier))
    }

    private static func reply(_ placeholder: String) -> UNTextInputNotificationAction {
        UNTextInputNotificationAction(
            identifier: "reply", title: "Reply", textInputButtonTitle: "Send", textInputPlaceholder: placeholder)
    }

    private static func category(_ summary: String) -> UNNotificationCategory {
        UNNotificationCategory(
            identifier: "news", actions: [reply("Text"), UNNotificationAction(identifier: "a", title: "A")],
            intentIdentifiers: ["INSendMessageIntent"], hiddenPreviewsBodyPlaceholder: "hidden",
            categorySummaryFormat: summary, options: [.customDismissAction])
    }

    private static func settings(_ status: UNAuthorizationStatus) -> UNNotificationSettings {
        var values = UNNotificationSettings.Values()
        values.authorizationStatus = status
        (values.alert, values.alertStyle, values.showPreviews) = (.enabled, .banner, .whenAuthenticated)
        values.providesAppNotificationSettings = true
        return UNNotificationSettings(values: values)
    }

    private static func day(_ hour: Int) -> UNCalendarNotificationTrigger {
        UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: hour, minute: 30), repeats: true)
    }

    private static func place(_ name: String) -> UNLocationNotificationTrigger {
        UNLocationNotificationTrigger(region: region(name), repeats: true)
    }

    private static func region(_ name: String) -> CLCircularRegion {
        CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 52, longitude: 13), radius: 100, identifier: name)
    }

    private static func person(_ name: String) -> INPerson {
        INPerson(
            personHandle: INPersonHandle(value: "1", type: .phoneNumber, label: .mobile), nameComponents: nil,
            displayName: name, image: INImage(named: "a"), contactIdentifier: "c", customIdentifier: "d")
    }

    private static func message(_ text: String) -> INSendMessageIntent {
        let intent = INSendMessageIntent(
            recipients: [person("Bob")], outgoingMessageType: .outgoingMessageText, content: text,
            speakableGroupName: INSpeakableString(spokenPhrase: "Rowing"), conversationIdentifier: "c",
            serviceName: "s", sender: person("Ann"), attachments: nil)
        intent.setImage(INImage(imageData: Data([1])), forParameterNamed: \.speakableGroupName)
        return intent
    }

    private static func call(_ caller: String) -> INStartCallIntent {
        INStartCallIntent(
            callRecordFilter: nil,
            callRecordToCallBack: INCallRecord(
                identifier: "r", caller: person(caller), callRecordType: .ringing, callCapability: .audioCall),
            audioRoute: .unknown, destinationType: .normal, contacts: [person("Bob")], callCapability: .audioCall)
    }

    private static let communication: [Sample] = [
        Sample(region("home"), region("work")), Sample(person("Ann"), person("Bob")),
        Sample(INPersonHandle(value: "1", type: .phoneNumber), INPersonHandle(value: "1", type: .emailAddress)),
        Sample(INImage(named: "a"), INImage.systemImageNamed("a")),
        Sample(INSpeakableString(spokenPhrase: "a"), INSpeakableString(spokenPhrase: "b")),
        Sample(message("a"), message("b")), Sample(call("Ann"), call("Bob")),
    ]

    private static let samples: [Sample] = [
        Sample(content("one") as UNNotificationContent, content("other")), Sample(request("m1"), request("m2")),
        Sample(notification("m1"), notification("m2")),
        Sample(
            UNNotificationResponse(notification: notification("m1"), actionIdentifier: "view"),
            UNNotificationResponse(notification: notification("m1"), actionIdentifier: "hide")),
        Sample(
            UNTextInputNotificationResponse(
                notification: notification("m1"), actionIdentifier: "reply", userText: "Yes"),
            UNTextInputNotificationResponse(
                notification: notification("m1"), actionIdentifier: "reply", userText: "No")),
        Sample(
            UNNotificationAction(identifier: "a", title: "A", options: [.foreground]),
            UNNotificationAction(identifier: "a", title: "A", options: [.destructive])),
        Sample(reply("Text"), reply("Other text")), Sample(category("%u more"), category("%u others")),
        Sample(
            UNNotificationActionIcon(systemImageName: "star"), UNNotificationActionIcon(templateImageName: "star")),
        Sample(
            UNNotificationSound.criticalSoundNamed(UNNotificationSoundName("bell"), withAudioVolume: 0.5),
            UNNotificationSound.criticalSoundNamed(UNNotificationSoundName("bell"), withAudioVolume: 0.6)),
        Sample(
            UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true),
            UNTimeIntervalNotificationTrigger(timeInterval: 61, repeats: true)),
        Sample(place("home"), place("work")),
        Sample(UNPushNotificationTrigger(), UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)),
        Sample(day(9), day(10)), Sample(settings(.authorized), settings(.denied)),
    ]

    @Test(
        "each is equal to its copy and to what comes back from a secure archive, and to nothing else",
        arguments: samples + communication)
    func copiesAndArchives(_ sample: Sample) throws {
        let copy = try #require(sample.one.copy() as? NSObject)
        #expect(copy.isEqual(sample.one) && copy.hash == sample.one.hash)
        #expect(!sample.one.isEqual(sample.other))
        #expect(type(of: sample.one).supportsSecureCoding)
        let data = try NSKeyedArchiver.archivedData(withRootObject: sample.one, requiringSecureCoding: true)
        let read = try #require(try sample.read(data))
        #expect(read.isEqual(sample.one) && read.hash == sample.one.hash && !read.isEqual(sample.other))
    }

    @Test("an attachment too, while its file is there")
    func attachment() throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "carillon-\(ProcessInfo.processInfo.processIdentifier).png")
        try Data(count: 10).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let one = try UNNotificationAttachment(identifier: "one", url: file)
        let other = try UNNotificationAttachment(identifier: "other", url: file)
        let data = try NSKeyedArchiver.archivedData(withRootObject: one, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: UNNotificationAttachment.self, from: data)
        #expect(read == one && one.copy() as? UNNotificationAttachment == one && one != other)
    }
}
