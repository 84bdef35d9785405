import Foundation

/// The name of a sound file in the app.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The sound of an arriving notification.
/// [UNNotificationSound](https://developer.apple.com/documentation/usernotifications/unnotificationsound)
open class UNNotificationSound: NSObject, NSCopying, NSSecureCoding {
    // `@unchecked`: immutable.
    enum Kind: String { case standard, ringtone, critical }

    let kind: Kind
    let name: String?
    let volume: Float?

    init(kind: Kind, name: String?, volume: Float?) {
        self.kind = kind
        self.name = name
        self.volume = volume
    }

    /// Makes the sound of a file in the app. Differs from iOS: any name is accepted, because no file is looked for.
    public convenience init(named name: UNNotificationSoundName) {
        self.init(kind: .standard, name: name.rawValue, volume: nil)
    }

    open class var `default`: UNNotificationSound { UNNotificationSound(kind: .standard, name: nil, volume: nil) }
    /// Returns the sound itself, so that `UNNotificationSound.default()`, the form of Swift 4, still compiles.
    @available(swift, obsoleted: 4.2, message: "use UNNotificationSound.default")
    public func callAsFunction() -> UNNotificationSound { self }

    @available(iOS 15.2, *)
    open class var defaultRingtone: UNNotificationSound {
        UNNotificationSound(kind: .ringtone, name: nil, volume: nil)
    }
    @available(iOS 12, *)
    open class var defaultCritical: UNNotificationSound {
        UNNotificationSound(kind: .critical, name: nil, volume: nil)
    }

    /// Returns the default sound of critical alerts with a volume.
    ///
    /// - Parameter volume: the volume, 0…1.
    @available(iOS 12, *)
    open class func defaultCriticalSound(withAudioVolume volume: Float) -> UNNotificationSound {
        UNNotificationSound(kind: .critical, name: nil, volume: volume)
    }
    @available(iOS 15.2, *)
    open class func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(kind: .ringtone, name: name.rawValue, volume: nil)
    }
    @available(iOS 12, *)
    open class func criticalSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(kind: .critical, name: name.rawValue, volume: nil)
    }
    /// Returns a critical alert's sound from a file of the app, with a volume.
    ///
    /// - Parameter volume: the volume, 0…1.
    @available(iOS 12, *)
    open class func criticalSoundNamed(
        _ name: UNNotificationSoundName, withAudioVolume volume: Float
    ) -> UNNotificationSound {
        UNNotificationSound(kind: .critical, name: name.rawValue, volume: volume)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationSound else { return false }
        return other.kind == kind && other.name == name && other.volume == volume
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(kind)
        hasher.combine(name)
        return hasher.finalize()
    }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let kind = coder.decodeText("kind").flatMap(Kind.init) else { return nil }
        self.kind = kind
        name = coder.decodeText("name")
        volume = coder.containsValue(forKey: "volume") ? coder.decodeFloat(forKey: "volume") : nil
    }

    open func encode(with coder: NSCoder) {
        coder.encodeText(kind.rawValue, "kind")
        coder.encodeText(name, "name")
        if let volume { coder.encode(volume, forKey: "volume") }
    }
}

extension UNNotificationSound {
    /// Whether the sound ignores the mute switch, if the app has the entitlement.
    @_spi(Simulation) public var isCritical: Bool { kind == .critical }

    /// The file's name; `nil` for a sound of the system.
    @_spi(Simulation) public var fileName: String? { name }
}
