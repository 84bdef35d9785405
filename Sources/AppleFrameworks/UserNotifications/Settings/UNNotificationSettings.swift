import Foundation

/// What the person has allowed this app, at the moment it was asked for.
/// [UNNotificationSettings](https://developer.apple.com/documentation/usernotifications/unnotificationsettings)
public class UNNotificationSettings: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // `@unchecked`: immutable, `values` is a `let` of plain values.
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

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        let number = coder.decodeInteger(forKey:)
        func setting(_ key: String) -> UNNotificationSetting { .init(rawValue: number(key)) ?? .notSupported }
        var values = Values()
        values.authorizationStatus = .init(rawValue: number("authorizationStatus")) ?? .notDetermined
        values.alertStyle = .init(rawValue: number("alertStyle")) ?? .none
        values.showPreviews = .init(rawValue: number("showPreviews")) ?? .always
        values.providesAppNotificationSettings = coder.decodeBool(forKey: "providesAppNotificationSettings")
        for (key, path) in Self.settings { values[keyPath: path] = setting(key) }
        self.values = values
    }

    public func encode(with coder: NSCoder) {
        coder.encode(values.authorizationStatus.rawValue, forKey: "authorizationStatus")
        coder.encode(values.alertStyle.rawValue, forKey: "alertStyle")
        coder.encode(values.showPreviews.rawValue, forKey: "showPreviews")
        coder.encode(values.providesAppNotificationSettings, forKey: "providesAppNotificationSettings")
        for (key, path) in Self.settings { coder.encode(values[keyPath: path].rawValue, forKey: key) }
    }

    private static var settings: [(String, WritableKeyPath<Values, UNNotificationSetting>)] {
        [
            ("sound", \.sound), ("badge", \.badge), ("alert", \.alert), ("notificationCenter", \.notificationCenter),
            ("lockScreen", \.lockScreen), ("carPlay", \.carPlay), ("criticalAlert", \.criticalAlert),
            ("announcement", \.announcement), ("timeSensitive", \.timeSensitive),
            ("scheduledDelivery", \.scheduledDelivery), ("directMessages", \.directMessages),
        ]
    }

    public override var description: String { "<UNNotificationSettings: \(values)>" }
}
