import CarillonCore
import Synchronization

/// One source of chance for closures that run anywhere.
final class SharedGenerator: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    func next() -> UInt64 { generator.withLock { $0.next() } }

    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 32) } }

    func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
