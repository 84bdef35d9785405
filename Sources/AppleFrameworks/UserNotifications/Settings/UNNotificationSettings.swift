import Foundation

/// A snapshot of the person's notification settings for the app.
/// [UNNotificationSettings](https://developer.apple.com/documentation/usernotifications/unnotificationsettings)
open class UNNotificationSettings: NSObject, NSCopying, NSSecureCoding {
    // `@unchecked`: immutable, because `values` is a `let` of plain values.
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

    open var authorizationStatus: UNAuthorizationStatus { values.authorizationStatus }
    open var soundSetting: UNNotificationSetting { values.sound }
    open var badgeSetting: UNNotificationSetting { values.badge }
    open var alertSetting: UNNotificationSetting { values.alert }
    open var notificationCenterSetting: UNNotificationSetting { values.notificationCenter }
    open var lockScreenSetting: UNNotificationSetting { values.lockScreen }
    open var carPlaySetting: UNNotificationSetting { values.carPlay }
    @available(iOS 12, *)
    open var criticalAlertSetting: UNNotificationSetting { values.criticalAlert }
    @available(iOS 13, *)
    open var announcementSetting: UNNotificationSetting { values.announcement }
    @available(iOS 15, *)
    open var timeSensitiveSetting: UNNotificationSetting { values.timeSensitive }
    @available(iOS 15, *)
    open var scheduledDeliverySetting: UNNotificationSetting { values.scheduledDelivery }
    @available(iOS 15, *)
    open var directMessagesSetting: UNNotificationSetting { values.directMessages }
    open var alertStyle: UNAlertStyle { values.alertStyle }
    @available(iOS 11, *)
    open var showPreviewsSetting: UNShowPreviewsSetting { values.showPreviews }
    @available(iOS 12, *)
    open var providesAppNotificationSettings: Bool { values.providesAppNotificationSettings }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationSettings).map { $0.values == values } ?? false
    }

    open override var hash: Int { values.hashValue }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        // `decodeInt64` is the method that app tests implement in coders that make settings.
        let number = { Int(coder.decodeInt64(forKey: $0)) }
        func setting(_ key: String) -> UNNotificationSetting { .init(rawValue: number(key)) ?? .notSupported }
        var values = Values()
        values.authorizationStatus = .init(rawValue: number("authorizationStatus")) ?? .notDetermined
        values.alertStyle = .init(rawValue: number("alertStyle")) ?? .none
        values.showPreviews = .init(rawValue: number("showPreviewsSetting")) ?? .always
        values.providesAppNotificationSettings = coder.decodeBool(forKey: "providesAppNotificationSettings")
        for (key, path) in Self.settings { values[keyPath: path] = setting(key) }
        self.values = values
    }

    open func encode(with coder: NSCoder) {
        coder.encode(Int64(values.authorizationStatus.rawValue), forKey: "authorizationStatus")
        coder.encode(Int64(values.alertStyle.rawValue), forKey: "alertStyle")
        coder.encode(Int64(values.showPreviews.rawValue), forKey: "showPreviewsSetting")
        coder.encode(values.providesAppNotificationSettings, forKey: "providesAppNotificationSettings")
        for (key, path) in Self.settings { coder.encode(Int64(values[keyPath: path].rawValue), forKey: key) }
    }

    private static var settings: [(String, WritableKeyPath<Values, UNNotificationSetting>)] {
        [
            ("soundSetting", \.sound), ("badgeSetting", \.badge), ("alertSetting", \.alert),
            ("notificationCenterSetting", \.notificationCenter),
            ("lockScreenSetting", \.lockScreen), ("carPlaySetting", \.carPlay),
            ("criticalAlertSetting", \.criticalAlert),
            ("announcementSetting", \.announcement), ("timeSensitiveSetting", \.timeSensitive),
            ("scheduledDeliverySetting", \.scheduledDelivery), ("directMessagesSetting", \.directMessages),
        ]
    }

    open override var description: String {
        let others = [
            "authorizationStatus: \(values.authorizationStatus)", "alertStyle: \(values.alertStyle)",
            "showPreviewsSetting: \(values.showPreviews)",
            "providesAppNotificationSettings: \(values.providesAppNotificationSettings)",
        ]
        let settings = Self.settings.map { "\($0): \(values[keyPath: $1])" }
        return "<UNNotificationSettings: \((others + settings).joined(separator: ", "))>"
    }
}
