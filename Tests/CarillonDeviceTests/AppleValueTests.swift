import Foundation
import Testing
import UIKit

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
}
