import CarillonCore

/// An event on a phone, and its cause.
public struct PhoneEvent: Sendable, Hashable, CustomStringConvertible {
    /// The kind of event.
    public enum Kind: Sendable, Hashable {
        /// The person, the network or the test has done something.
        case action(PhoneAction)
        /// A push has come; the number is its entry's among ``Phone/traces``.
        case push(Int)
        /// The clock has reached a time that something waited for.
        case timer
        /// Code of the app, or of its extension, was called; the name is Apple's where it has one.
        case call(String, bundleID: String)
        /// The app, or its extension, has asked something of the system, or answered it.
        case request(String, bundleID: String)
        /// The visible state of the phone has changed.
        case change(PhoneChange)
        /// Real time has passed while somebody waited for the phone to come to rest.
        ///
        /// An app was busy in a thread, a block on a queue, a session or a sleep. From here on, another run with the same
        /// inputs may differ.
        case realTime
    }

    /// The number of the event, from 1 on each phone.
    public let number: Int
    /// The time of the event, by the phone's clock.
    public let at: Timestamp
    /// The number of the event that led to it; `nil` for what came from outside.
    public let cause: Int?
    /// The kind of event.
    public let kind: Kind

    /// A line with number, time, kind and, after an arrow, the cause.
    public var description: String {
        let text =
            switch kind {
            case .action(let action): "the person: \(action)"
            case .push(let number): "push \(number)"
            case .timer: "timer"
            case .call(let name, let bundleID): "\(bundleID) is called: \(name)"
            case .request(let name, let bundleID): "\(bundleID) asks: \(name)"
            case .change(let change): "changed: \(change)"
            case .realTime: "real time passes"
            }
        return "\(number) \(at) \(text)" + (cause.map { " ← \($0)" } ?? "")
    }
}

/// The event that has led to the running code, and its phone.
///
/// Tasks inherit it, also those that an app begins, and so do scheduled and queued calls.
struct PhoneCause: Sendable {
    @TaskLocal static var current: PhoneCause?

    let phone: ObjectIdentifier
    let event: Int
}
