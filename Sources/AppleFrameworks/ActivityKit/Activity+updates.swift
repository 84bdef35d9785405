import Foundation
@_spi(Simulation) import UserNotifications

/// The sequences by which an app observes its Live Activities.
@available(iOS 16.1, *)
extension Activity {
    public var activityStateUpdates: Activity<Attributes>.ActivityStateUpdates { .init(activity: self) }

    @available(iOS 16.2, *)
    public var contentUpdates: Activity<Attributes>.ContentUpdates { .init(activity: self) }

    public var pushTokenUpdates: Activity<Attributes>.PushTokenUpdates {
        .init(host: host) { [id] host in RecordIterator(of: id, host) }
    }

    /// The Live Activities of this kind that begin, whoever starts them.
    @available(iOS 16.2, *)
    public static var activityUpdates: Activity<Attributes>.ActivityUpdates {
        .init(host: SimulatedDevices.currentProcess as? any ActivityHost)
    }

    /// The token for starting a Live Activity by push; `nil` until the phone has fetched it.
    ///
    /// Differs from iOS: the phone fetches the token when the app first reads it or its updates.
    @available(iOS 17.2, *)
    public static var pushToStartToken: Data? {
        let host = SimulatedDevices.currentProcess as? any ActivityHost
        return host?.pushToStartToken(for: ActivityType(Attributes.self))
    }

    @available(iOS 17.2, *)
    public static var pushToStartTokenUpdates: Activity<Attributes>.PushTokenUpdates {
        let type = ActivityType(Attributes.self)
        return .init(host: SimulatedDevices.currentProcess as? any ActivityHost) { host in
            RecordIterator(startTokensOf: type, host)
        }
    }

    /// The states of a Live Activity, one after another.
    public struct ActivityStateUpdates: AsyncSequence, Sendable {
        public typealias Element = ActivityState

        let activity: Activity<Attributes>

        public func makeAsyncIterator() -> Iterator { Iterator(base: RecordIterator(of: activity.id, activity.host)) }

        public struct Iterator: AsyncIteratorProtocol {
            var base: RecordIterator

            public mutating func next() async -> ActivityState? { await base.next { $0.record?.state } }
        }
    }

    /// The contents of a Live Activity, one after another.
    @available(iOS 16.2, *)
    public struct ContentUpdates: AsyncSequence, Sendable {
        public typealias Element = ActivityContent<Activity<Attributes>.ContentState>

        let activity: Activity<Attributes>

        public func makeAsyncIterator() -> Iterator { Iterator(base: RecordIterator(of: activity.id, activity.host)) }

        public struct Iterator: AsyncIteratorProtocol {
            var base: RecordIterator

            public mutating func next() async -> ActivityContent<Activity<Attributes>.ContentState>? {
                while let content = await base.next({ $0.record?.content }) {
                    if let content = ActivityContent<ContentState>(content) { return content }
                }
                return nil
            }
        }
    }

    /// The tokens of a Live Activity, or the tokens for starting one, one after another.
    public struct PushTokenUpdates: AsyncSequence, Sendable {
        public typealias Element = Data

        let host: (any ActivityHost)?
        let begin: @Sendable ((any ActivityHost)?) -> RecordIterator

        public func makeAsyncIterator() -> Iterator { Iterator(base: begin(host)) }

        public struct Iterator: AsyncIteratorProtocol {
            var base: RecordIterator

            public mutating func next() async -> Data? { await base.next(\.token) }
        }
    }

    /// New Live Activities of a kind, one after another.
    @available(iOS 16.2, *)
    public struct ActivityUpdates: AsyncSequence, Sendable {
        public typealias Element = Activity<Attributes>

        let host: (any ActivityHost)?

        public func makeAsyncIterator() -> Iterator {
            Iterator(host: host, base: RecordIterator(startsOf: ActivityType(Attributes.self), host))
        }

        public struct Iterator: AsyncIteratorProtocol {
            let host: (any ActivityHost)?
            var base: RecordIterator
            var seen: Set<String> = []

            public mutating func next() async -> Activity<Attributes>? {
                while let record = await base.next(\.record) {
                    guard seen.insert(record.id).inserted else { continue }
                    if let activity = Activity(record, host: host) { return activity }
                }
                return nil
            }
        }
    }
}

/// Reads events of the phone, and returns a value only if it differs from the value before.
struct RecordIterator {
    private var events: AsyncStream<ActivityEvent>.Iterator?
    private var last: AnyHashable?

    /// Reads the changes of one Live Activity.
    init(of id: String, _ host: (any ActivityHost)?) {
        events = host?.events({ host?.activity(id).map { [.changed($0)] } ?? [] }) { event in
            if case .changed(let record) = event { record.id == id } else { false }
        }.makeAsyncIterator()
    }

    /// Reads the beginnings of Live Activities of a kind.
    init(startsOf type: ActivityType, _ host: (any ActivityHost)?) {
        events = host?.events({ host?.activities(of: type).map { .started($0) } ?? [] }) { event in
            if case .started(let record) = event { record.type == type.name } else { false }
        }.makeAsyncIterator()
    }

    /// Reads the tokens for starting a Live Activity.
    init(startTokensOf type: ActivityType, _ host: (any ActivityHost)?) {
        events = host?.events({ host?.pushToStartToken(for: type).map { [.pushToStartToken($0)] } ?? [] }) {
            if case .pushToStartToken = $0 { true } else { false }
        }.makeAsyncIterator()
    }

    mutating func next<Value: Hashable>(_ value: (ActivityEvent) -> Value?) async -> Value? {
        while let event = await events?.next() {
            guard let value = value(event), last != AnyHashable(value) else { continue }
            last = AnyHashable(value)
            return value
        }
        return nil
    }
}

extension ActivityEvent {
    fileprivate var record: ActivityRecord? {
        switch self {
        case .started(let record), .changed(let record): record
        case .pushToStartToken, .authorization: nil
        }
    }

    /// The push-to-start token, or the token of the Live Activity.
    fileprivate var token: Data? { if case .pushToStartToken(let token) = self { token } else { record?.pushToken } }
}
