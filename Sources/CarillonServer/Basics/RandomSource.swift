/// A source of random bytes: the operating system's generator in a service, or a seeded sequence in a test.
package struct RandomSource: Sendable {
    private let fill: @Sendable (_ count: Int) -> [UInt8]

    /// Makes a source of random bytes.
    ///
    /// - Parameter fill: a closure that returns the given number of bytes; any thread may call it.
    package init(_ fill: @escaping @Sendable (_ count: Int) -> [UInt8]) { self.fill = fill }

    package func bytes(_ count: Int) -> [UInt8] { fill(count) }

    /// Returns a random number in `0..<1`.
    func fraction() -> Double {
        let bits = fill(8).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(bits >> 11) / Double(UInt64(1) << 53)
    }

    /// The operating system's generator, suitable for secrets.
    package static let system = RandomSource { count in
        var generator = SystemRandomNumberGenerator()
        // Draws eight bytes at a time, because each number costs a system call.
        let numbers = (0..<(count + 7) / 8).map { _ in generator.next() }
        return Array(numbers.flatMap { number in withUnsafeBytes(of: number) { Array($0) } }.prefix(count))
    }
}
