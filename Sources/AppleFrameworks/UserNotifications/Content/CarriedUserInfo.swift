import Synchronization

/// A `userInfo` that already exists or is made at first use.
///
/// Many apps never read the `userInfo` of a push that only shows something.
final class CarriedUserInfo: Sendable {
    private enum State {
        case promised(@Sendable () -> [AnyHashable: Any])
        case made([AnyHashable: Any])
    }

    /// The `userInfo`, or the closure that makes it, as a `Sendable` value.
    ///
    /// `@unchecked`: the property lists in a `userInfo` are never modified.
    private struct Kept: @unchecked Sendable { var state: State }

    static let none = CarriedUserInfo(made: [:])

    private let kept: Mutex<Kept>

    init(made value: [AnyHashable: Any]) {
        let made = Kept(state: .made(value))
        kept = Mutex(made)
    }

    init(promised make: @escaping @Sendable () -> [AnyHashable: Any]) { kept = Mutex(Kept(state: .promised(make))) }

    var value: [AnyHashable: Any] {
        let known = kept.withLock { kept in
            if case .promised(let make) = kept.state { kept.state = .made(make()) }
            return kept
        }
        if case .made(let value) = known.state { return value }
        return [:]
    }
}
