import Foundation
import Testing
import UserNotifications
import UserNotificationsUI

/// The raw values of Apple's headers, all of them.
@Suite("The values of UserNotifications") struct UserNotificationsValuesTests {
    struct Value: Sendable, CustomTestStringConvertible {
        let name: String
        let raw: Int
        let expected: Int

        var testDescription: String { name }

        init(_ name: String, _ value: some RawRepresentable<UInt>, _ expected: Int) {
            (self.name, raw, self.expected) = (name, Int(value.rawValue), expected)
        }

        init(_ name: String, _ value: some RawRepresentable<Int>, _ expected: Int) {
            (self.name, raw, self.expected) = (name, value.rawValue, expected)
        }
    }

    private static let options: [Value] = [
        Value("badge", UNAuthorizationOptions.badge, 1), Value("sound", UNAuthorizationOptions.sound, 2),
        Value("alert", UNAuthorizationOptions.alert, 4), Value("carPlay", UNAuthorizationOptions.carPlay, 8),
        Value("criticalAlert", UNAuthorizationOptions.criticalAlert, 16),
        Value("providesAppNotificationSettings", UNAuthorizationOptions.providesAppNotificationSettings, 32),
        Value("provisional", UNAuthorizationOptions.provisional, 64),
        Value("announcement", UNAuthorizationOptions.announcement, 128),
        Value("timeSensitive", UNAuthorizationOptions.timeSensitive, 256),
        Value("present badge", UNNotificationPresentationOptions.badge, 1),
        Value("present sound", UNNotificationPresentationOptions.sound, 2),
        Value("present alert", UNNotificationPresentationOptions.alert, 4),
        Value("present list", UNNotificationPresentationOptions.list, 8),
        Value("present banner", UNNotificationPresentationOptions.banner, 16),
        Value("authenticationRequired", UNNotificationActionOptions.authenticationRequired, 1),
        Value("destructive", UNNotificationActionOptions.destructive, 2),
        Value("foreground", UNNotificationActionOptions.foreground, 4),
        Value("customDismissAction", UNNotificationCategoryOptions.customDismissAction, 1),
        Value("allowInCarPlay", UNNotificationCategoryOptions.allowInCarPlay, 2),
        Value("hiddenPreviewsShowTitle", UNNotificationCategoryOptions.hiddenPreviewsShowTitle, 4),
        Value("hiddenPreviewsShowSubtitle", UNNotificationCategoryOptions.hiddenPreviewsShowSubtitle, 8),
        Value("allowAnnouncement", UNNotificationCategoryOptions.allowAnnouncement, 16),
    ]

    private static let enums: [Value] = [
        Value("notDetermined", UNAuthorizationStatus.notDetermined, 0),
        Value("denied", UNAuthorizationStatus.denied, 1), Value("authorized", UNAuthorizationStatus.authorized, 2),
        Value("provisional", UNAuthorizationStatus.provisional, 3),
        Value("ephemeral", UNAuthorizationStatus.ephemeral, 4),
        Value("always", UNShowPreviewsSetting.always, 0),
        Value("whenAuthenticated", UNShowPreviewsSetting.whenAuthenticated, 1),
        Value("never", UNShowPreviewsSetting.never, 2),
        Value("notSupported", UNNotificationSetting.notSupported, 0),
        Value("disabled", UNNotificationSetting.disabled, 1), Value("enabled", UNNotificationSetting.enabled, 2),
        Value("none", UNAlertStyle.none, 0), Value("banner", UNAlertStyle.banner, 1),
        Value("alert", UNAlertStyle.alert, 2), Value("passive", UNNotificationInterruptionLevel.passive, 0),
        Value("active", UNNotificationInterruptionLevel.active, 1),
        Value("timeSensitive", UNNotificationInterruptionLevel.timeSensitive, 2),
        Value("critical", UNNotificationInterruptionLevel.critical, 3),
        Value("no button", UNNotificationContentExtensionMediaPlayPauseButtonType.none, 0),
        Value("default button", UNNotificationContentExtensionMediaPlayPauseButtonType.default, 1),
        Value("overlay button", UNNotificationContentExtensionMediaPlayPauseButtonType.overlay, 2),
        Value("doNotDismiss", UNNotificationContentExtensionResponseOption.doNotDismiss, 0),
        Value("dismiss", UNNotificationContentExtensionResponseOption.dismiss, 1),
        Value("dismissAndForward", UNNotificationContentExtensionResponseOption.dismissAndForwardAction, 2),
    ]

    private static let errorCodes: [Value] = [
        Value("notificationsNotAllowed", UNError.notificationsNotAllowed, 1),
        Value("attachmentInvalidURL", UNError.attachmentInvalidURL, 100),
        Value("attachmentUnrecognizedType", UNError.attachmentUnrecognizedType, 101),
        Value("attachmentInvalidFileSize", UNError.attachmentInvalidFileSize, 102),
        Value("attachmentNotInDataStore", UNError.attachmentNotInDataStore, 103),
        Value("attachmentMoveIntoDataStoreFailed", UNError.attachmentMoveIntoDataStoreFailed, 104),
        Value("attachmentCorrupt", UNError.attachmentCorrupt, 105),
        Value("notificationInvalidNoDate", UNError.notificationInvalidNoDate, 1400),
        Value("notificationInvalidNoContent", UNError.notificationInvalidNoContent, 1401),
        Value("contentProvidingObjectNotAllowed", UNError.contentProvidingObjectNotAllowed, 1500),
        Value("contentProvidingInvalid", UNError.contentProvidingInvalid, 1501),
        Value("badgeInputInvalid", UNError.badgeInputInvalid, 1600),
    ]

    @Test("each has Apple's raw value", arguments: options + enums + errorCodes)
    func rawValue(_ value: Value) { #expect(value.raw == value.expected) }

    @Test("the constants say what they say on a phone")
    func constants() {
        #expect(UNNotificationDefaultActionIdentifier == "com.apple.UNNotificationDefaultActionIdentifier")
        #expect(UNNotificationDismissActionIdentifier == "com.apple.UNNotificationDismissActionIdentifier")
        let keys = [
            UNNotificationAttachmentOptionsTypeHintKey, UNNotificationAttachmentOptionsThumbnailHiddenKey,
            UNNotificationAttachmentOptionsThumbnailClippingRectKey, UNNotificationAttachmentOptionsThumbnailTimeKey,
        ]
        #expect(Set(keys).count == 4 && UNError.errorDomain == UNErrorDomain)
    }

    @Test("an error is an NSError with its code and a sentence; one made by hand is caught by its code as well")
    func errors() throws {
        for code in [UNError.badgeInputInvalid, .notificationInvalidNoDate, .contentProvidingInvalid] {
            let error = UNError(code, userInfo: ["cause": "test"]) as NSError
            #expect(error.domain == UNErrorDomain && error.code == code.rawValue)
            #expect(error.userInfo["cause"] as? String == "test" && !error.localizedDescription.isEmpty)
            #expect(error.localizedDescription == UNError(code).localizedDescription)
        }
        do {
            throw NSError(domain: UNErrorDomain, code: 1)
        } catch UNError.badgeInputInvalid {
            Issue.record("caught by the wrong code")
        } catch UNError.notificationsNotAllowed {
        }
        let thrown: any Error = UNError(.attachmentCorrupt)
        #expect((thrown as? UNError)?.code == .attachmentCorrupt && UNError(.attachmentCorrupt) == thrown as? UNError)
        #expect(UNError(.attachmentCorrupt) != UNError(.attachmentInvalidURL))
        #expect(UNError(.attachmentCorrupt) != UNError(.attachmentCorrupt, userInfo: ["file": "a"]))
    }
}
