import CarillonCore
import Foundation

/// What a phone is made from.
public struct PhoneConfiguration: Sendable {
    /// Unique among the phones of one push service.
    public var id: String
    /// What people call it.
    public var name: String
    public var clock: any CarillonClock
    /// The folder under which the phone keeps its apps' containers, in one of its own.
    public var storage: URL
    /// Everything random on the phone follows from it.
    public var seed: UInt64
    public var rules: PhoneRules
    public var screen: ScreenShape
    /// Whether a code unlocks it, so that protected files are closed while it is locked. The default is `true`.
    public var hasPasscode = true

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
