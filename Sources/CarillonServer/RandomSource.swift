/// Where random bytes come from: keys and identifiers in a service, a seed in a test.
public struct RandomSource: Sendable {
    private let fill: @Sendable (_ count: Int) -> [UInt8]

    /// - Parameter fill: returns that many bytes; called from any thread.
    public init(_ fill: @escaping @Sendable (_ count: Int) -> [UInt8]) { self.fill = fill }

    public func bytes(_ count: Int) -> [UInt8] { fill(count) }

    /// A number in `0..<1`.
    public func fraction() -> Double {
        let bits = fill(8).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(bits >> 11) / Double(UInt64(1) << 53)
    }

    /// The operating system's generator, good for secrets.
    public static let system = RandomSource { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
