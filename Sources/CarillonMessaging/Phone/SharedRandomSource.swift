import CarillonCore

/// A random number generator that is usable from any thread.
package final class SharedRandomSource: Sendable {
    private let source: Guarded<any RandomNumberGenerator & Sendable>

    package init(_ source: any RandomNumberGenerator & Sendable) { self.source = Guarded(source) }

    package func draw<Value: Sendable>(_ body: (inout any RandomNumberGenerator & Sendable) -> Value) -> Value {
        source.withLock { body(&$0) }
    }

    /// Draws a random number.
    ///
    /// - Returns: a number in `0..<1`.
    package func chance() -> Double { draw { Double.random(in: 0..<1, using: &$0) } }
}
