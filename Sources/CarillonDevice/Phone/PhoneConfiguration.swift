import CarillonCore
import Foundation

/// The configuration from which a phone is made.
public struct PhoneConfiguration: Sendable {
    /// The phone's ID, unique among the phones of one simulated APNs; also the name of the phone's folder.
    public var id: String
    /// The name that people use for the phone; it appears in the texts of ``PhoneError``.
    public var name: String
    /// The clock for all times on the phone: `ManualClock` in tests, `SystemClock` for real time.
    public var clock: any CarillonClock
    /// The folder in which the phone creates its own folder, for its apps' files.
    public var storage: URL
    /// The seed of all random values on the phone, such as device tokens: equal seeds give equal values.
    public var seed: UInt64
    /// The rules of iOS that the phone follows; the default is iOS's own behaviour.
    public var rules: PhoneRules
    /// The size and safe area of the screen; the default has a notch.
    public var screen: ScreenShape
    /// Whether a passcode is set, so that protected files cannot be read while the phone is locked.
    ///
    /// The default is `true`.
    public var hasPasscode = true
    /// The phone's language and region.
    ///
    /// The default is `en_US` on every machine.
    public var locale = Locale(identifier: "en_US")
    /// The phone's time zone, used for midnight, the scheduled summary, and calendar triggers without a time zone.
    ///
    /// The default is the time zone of the program, because an app asks Foundation for the time zone, and Foundation knows
    /// only that one.
    public var timeZone = TimeZone.current
    /// The **real** time without any event after which ``Phone/settled(within:)`` stops waiting for a completion handler.
    ///
    /// The default is one second. It leaves time for activity that the phone cannot count, such as an app's own thread. Use
    /// zero for apps without such activity: then no run depends on the machine's speed.
    public var patience = PhoneLimits.patience
    /// Whether the apps' tasks off the main actor run on the main queue, in the order in which they began.
    ///
    /// The default is `false`: these tasks run on several threads at once, as on iOS. With `true`, equal inputs give an equal
    /// ``Phone/history`` even if apps work off the main actor, such as in requests to a server. However, with `true`, code that
    /// blocks its thread to wait for another task hangs forever.
    public var runsTasksInOrder = false

    /// Makes a configuration; the other properties have their default values.
    ///
    /// - Parameters:
    ///   - id: the phone's ID, unique among the phones of one simulated APNs.
    ///   - name: the name that people use for the phone.
    ///   - clock: the clock for all times on the phone.
    ///   - storage: the folder in which the phone creates its own folder.
    ///   - seed: the seed of all random values.
    ///   - rules: iOS's rules; the default is iOS's own behaviour.
    ///   - screen: the shape of the screen; the default has a notch.
    public init(
        id: String, name: String, clock: any CarillonClock, storage: URL, seed: UInt64,
        rules: PhoneRules = PhoneRules(), screen: ScreenShape = .withNotch
    ) {
        self.id = id
        self.name = name
        self.clock = clock
        self.storage = storage
        self.seed = seed
        self.rules = rules
        self.screen = screen
    }
}
