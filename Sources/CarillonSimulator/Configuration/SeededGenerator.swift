import CarillonCore
import Foundation

/// The simulator's only source of chance: the same seed gives the same tokens, ids and faults. SplitMix64, which is
/// quick and spreads well; it is no secret-keeper and makes no keys.
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A generator of its own for one part, so that what one part draws does not shift what another gets.
    mutating func fork() -> SeededGenerator { SeededGenerator(seed: next()) }

    /// - Parameter byteCount: 1 to ``DeviceToken/byteLimit``; brought into that range.
    mutating func deviceToken(byteCount: Int) -> DeviceToken {
        let count = min(max(byteCount, 1), DeviceToken.byteLimit)
        while true {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
            if let token = DeviceToken(Data(bytes)) { return token }
        }
    }
}
