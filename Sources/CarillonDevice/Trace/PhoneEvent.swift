import CarillonCore

/// An event on a phone, and its cause.
public struct PhoneEvent: Sendable, Hashable, CustomStringConvertible {
    /// The kind of event.
    public enum Kind: Sendable, Hashable {
        /// The person, the network or the test has acted.
        case action(PhoneAction)
        /// A push has arrived; the number is the number of the push's entry in ``Phone/traces``.
        case push(Int)
        /// The phone's clock has reached the time of a timer.
        case timer
        /// The phone has called code of the app or of its extension; the text names that code, such as a delegate's method.
        case call(String, bundleID: String)
        /// The app, or its extension, has called the system or a completion handler; the text names the call.
        case request(String, bundleID: String)
        /// The visible state of the phone has changed.
        case change(PhoneChange)
        /// Real time has passed while a caller waited for the phone to come to rest.
        ///
        /// An app was busy with a thread, a block on a queue, a URL session or a sleep. From here on, another run with equal
        /// inputs may differ.
        case realTime
    }

    /// The number of the event, from 1 on each phone.
    public let number: Int
    /// The time of the event, by the phone's clock.
    public let at: Timestamp
    /// The number of the causing event; `nil` for an event that came from outside.
    public let cause: Int?
    /// The kind of event.
    public let kind: Kind

    /// A line with the number, the time, the kind and, after an arrow, the cause.
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

/// The event that has led to the running code, and the event's phone.
///
/// Tasks inherit this value, including an app's own tasks, and so do scheduled and queued calls.
struct PhoneCause: Sendable {
    @TaskLocal static var current: PhoneCause?

    let phone: ObjectIdentifier
    let event: Int
}
