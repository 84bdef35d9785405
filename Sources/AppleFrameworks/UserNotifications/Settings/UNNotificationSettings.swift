import Foundation

/// What the person has allowed this app, at the moment it was asked for.
/// [UNNotificationSettings](https://developer.apple.com/documentation/usernotifications/unnotificationsettings)
public class UNNotificationSettings: NSObject, @unchecked Sendable {  // immutable: `values` is a `let` of plain values
    let values: Values

    /// Every switch of the app's page in Settings, as plain values.
    @_spi(Simulation) public struct Values: Sendable, Hashable {
        public var authorizationStatus = UNAuthorizationStatus.notDetermined
        public var sound = UNNotificationSetting.notSupported
        public var badge = UNNotificationSetting.notSupported
        public var alert = UNNotificationSetting.notSupported
        public var notificationCenter = UNNotificationSetting.notSupported
        public var lockScreen = UNNotificationSetting.notSupported
        public var carPlay = UNNotificationSetting.notSupported
        public var criticalAlert = UNNotificationSetting.notSupported
        public var announcement = UNNotificationSetting.notSupported
        public var timeSensitive = UNNotificationSetting.notSupported
        public var scheduledDelivery = UNNotificationSetting.notSupported
        public var directMessages = UNNotificationSetting.notSupported
        public var alertStyle = UNAlertStyle.none
        public var showPreviews = UNShowPreviewsSetting.always
        public var providesAppNotificationSettings = false

        public init() {}
    }

    @_spi(Simulation) public init(values: Values) { self.values = values }

    public var authorizationStatus: UNAuthorizationStatus { values.authorizationStatus }
    public var soundSetting: UNNotificationSetting { values.sound }
    public var badgeSetting: UNNotificationSetting { values.badge }
    public var alertSetting: UNNotificationSetting { values.alert }
    public var notificationCenterSetting: UNNotificationSetting { values.notificationCenter }
    public var lockScreenSetting: UNNotificationSetting { values.lockScreen }
    public var carPlaySetting: UNNotificationSetting { values.carPlay }
    public var criticalAlertSetting: UNNotificationSetting { values.criticalAlert }
    public var announcementSetting: UNNotificationSetting { values.announcement }
    public var timeSensitiveSetting: UNNotificationSetting { values.timeSensitive }
    public var scheduledDeliverySetting: UNNotificationSetting { values.scheduledDelivery }
    public var directMessagesSetting: UNNotificationSetting { values.directMessages }
    public var alertStyle: UNAlertStyle { values.alertStyle }
    public var showPreviewsSetting: UNShowPreviewsSetting { values.showPreviews }
    public var providesAppNotificationSettings: Bool { values.providesAppNotificationSettings }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationSettings).map { $0.values == values } ?? false
    }

    public override var hash: Int { values.hashValue }

    public override var description: String { "<UNNotificationSettings: \(values)>" }
}
