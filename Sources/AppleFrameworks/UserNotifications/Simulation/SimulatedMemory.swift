import Synchronization

/// A phone's store for values that code would otherwise keep in static variables.
///
/// Static variables would outlive the phone and be visible to a later phone.
@_spi(Simulation) public final class SimulatedMemory: Sendable {
    private let values = Mutex<[ObjectIdentifier: any Sendable]>([:])
    private let counts = Mutex<[String: Int]>([:])

    public init() {}

    /// Returns the phone's only object of a type.
    ///
    /// - Parameter make: makes the object at the first call.
    public func object<Object: AnyObject & Sendable>(_ make: () -> Object) -> Object {
        values.withLock { values in
            let type = ObjectIdentifier(Object.self)
            if let known = values[type] as? Object { return known }
            let new = make()
            values[type] = new
            return new
        }
    }

    /// Returns the next number of a counter, from 1.
    ///
    /// - Parameter name: the name of the counter.
    public func next(_ name: String) -> Int {
        counts.withLock { counts in
            counts[name, default: 0] += 1
            return counts[name, default: 0]
        }
    }
}
