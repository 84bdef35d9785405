import Foundation
import Synchronization

/// A delegate method with a completion handler variant and an async variant; the app implements one of them or none.
///
/// The default implementation of each variant sets a mark in the task and calls the other variant. If a default implementation
/// finds the mark, the other variant is a default implementation too: the app implements neither.
@_spi(Simulation) public struct OptionalMethod: Sendable {
    /// A record of the optional delegate methods that the app does not implement; filled while the phone calls a delegate.
    public final class Call: Sendable {
        private let missing = Mutex<Set<String>>([])
        private let delegate: ObjectIdentifier?

        /// Makes an empty record.
        ///
        /// - Parameter delegate: the only object whose missing methods are recorded. Pass a delegate that may forward the call to
        ///   other objects. `nil`, the default, records the missing methods of every object.
        public init(of delegate: AnyObject? = nil) { self.delegate = delegate.map { ObjectIdentifier($0) } }

        public func isMissing(_ name: String) -> Bool { missing.withLock { $0.contains(name) } }
        func note(_ name: String, of called: ObjectIdentifier) {
            if delegate == nil || delegate == called { note(name) }
        }
        func note(_ name: String) { missing.withLock { _ = $0.insert(name) } }
    }

    private struct Mark: Hashable, Sendable {
        let name: String
        let delegate: ObjectIdentifier
    }

    /// The record of missing methods for the current call of a delegate. The phone sets it, to find out afterwards whether the
    /// app implements the called method.
    @TaskLocal public static var call: Call?
    @TaskLocal private static var marks: Set<Mark> = []

    private let mark: Mark

    public init(_ name: String, of delegate: AnyObject) {
        mark = Mark(name: name, delegate: ObjectIdentifier(delegate))
    }

    public static func noteUnimplemented(_ name: String) { call?.note(name) }

    /// Handles a missing completion handler variant: calls the async variant in a separate task, as Swift does for Objective-C.
    ///
    /// - Returns: the task that runs the async variant; `nil` if the app implements neither variant.
    @discardableResult
    public func completionFormIsMissing(
        tryAsync: @escaping @Sendable () async -> Void, neither: () -> Void
    ) -> Task<Void, Never>? {
        guard !Self.marks.contains(mark) else {
            Self.call?.note(mark.name, of: mark.delegate)
            neither()
            return nil
        }
        return Self.$marks.withValue(Self.marks.union([mark])) { Task { await tryAsync() } }
    }

    /// Handles a missing async variant: calls the completion handler variant.
    ///
    /// - Returns: the argument that the app passes to the completion handler; `nil` if the app implements neither variant.
    public func asyncFormIsMissing<Answer: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        tryCompletion: (@escaping @Sendable (Answer) -> Void) -> Void
    ) async -> Answer? {
        guard !Self.marks.contains(mark) else {
            Self.call?.note(mark.name, of: mark.delegate)
            return nil
        }
        return await withCheckedContinuation { continuation in
            let once = FirstAnswer<Answer> { continuation.resume(returning: $0) }
            Self.$marks.withValue(Self.marks.union([mark])) { tryCompletion { once.give($0) } }
        }
    }
}

/// A receiver that passes on the first answer, and drops later answers.
final class FirstAnswer<Answer: Sendable>: Sendable {
    private let pending: Mutex<(@Sendable (Answer) -> Void)?>

    init(_ receive: @escaping @Sendable (Answer) -> Void) { pending = Mutex(receive) }

    func give(_ answer: Answer) {
        let receive = pending.withLock { pending in
            defer { pending = nil }
            return pending
        }
        receive?(answer)
    }
}
