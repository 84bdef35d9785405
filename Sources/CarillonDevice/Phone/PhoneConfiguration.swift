import CarillonCore
import Foundation

/// The configuration from which a phone is made.
public struct PhoneConfiguration: Sendable {
    /// The phone's ID, unique among the phones of one push service; also the name of the phone's folder.
    public var id: String
    /// The name that people use for the phone; it appears in the texts of ``PhoneError``.
    public var name: String
    /// The clock that all time on the phone follows: `ManualClock` in tests, `SystemClock` for real time.
    public var clock: any CarillonClock
    /// The folder in which the phone makes one of its own, for its apps' files.
    public var storage: URL
    /// The seed of everything random on the phone, such as device tokens: equal seeds give equal values.
    public var seed: UInt64
    /// iOS's rules; the default is iOS as it is.
    public var rules: PhoneRules
    /// The size and safe area of the screen; the default has a notch.
    public var screen: ScreenShape
    /// Whether a passcode is set, so that protected files are closed while the phone is locked.
    ///
    /// The default is `true`.
    public var hasPasscode = true
    /// Language and region.
    ///
    /// The default is `en_US`, whatever the machine has.
    public var locale = Locale(identifier: "en_US")
    /// The zone of midnight, of the scheduled summary, and of calendar triggers that name none.
    ///
    /// The default is the process's, because apps ask Foundation for it, which knows no other.
    public var timeZone = TimeZone.current
    /// The **real** time without any event after which an uncalled handler counts as never to be called.
    ///
    /// The default is one second, for activity that the phone cannot count, such as a thread of the app's own. Zero suits
    /// apps without such threads: then no run depends on the speed of the machine.
    public var patience = PhoneLimits.patience
    /// Whether the work of apps' tasks off the main actor runs on the main queue, in the order in which it began.
    ///
    /// The default is `false`: on several threads at once, as on iOS. With `true`, the same inputs give the same
    /// ``Phone/history`` also for apps that do something off the main actor, such as to ask a server. Code that blocks its
    /// thread until another has done something then never returns.
    public var runsTasksInOrder = false

    /// - Parameters:
    ///   - id: unique among the phones of one push service.
    ///   - name: the name that people use for the phone.
    ///   - clock: the clock that all time on the phone follows.
    ///   - storage: the folder in which the phone makes one of its own.
    ///   - seed: the seed of everything random.
    ///   - rules: the default is iOS as it is.
    ///   - screen: the default has a notch.
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
