import Foundation
@_spi(Simulation) import UserNotifications

/// The person's permissions for the app's Live Activities.
/// [ActivityAuthorizationInfo](https://developer.apple.com/documentation/activitykit/activityauthorizationinfo)
@available(iOS 16.1, *)
public final class ActivityAuthorizationInfo: Sendable {
    private let host: (any ActivityHost)?

    public let activityEnablementUpdates: ActivityAuthorizationInfo.ActivityEnablementUpdates
    @available(iOS 16.2, *)
    public let frequentPushEnablementUpdates: ActivityAuthorizationInfo.FrequentPushEnablementUpdates

    public init() {
        host = SimulatedDevices.currentProcess as? any ActivityHost
        activityEnablementUpdates = ActivityEnablementUpdates(host: host)
        frequentPushEnablementUpdates = FrequentPushEnablementUpdates(host: host)
    }

    /// Whether the app may start Live Activities.
    public var areActivitiesEnabled: Bool { host?.activityAuthorization.areActivitiesEnabled ?? false }

    /// Whether the app may update Live Activities frequently by push.
    @available(iOS 16.2, *)
    public var frequentPushesEnabled: Bool { host?.activityAuthorization.frequentPushesEnabled ?? false }

    /// The changes of ``areActivitiesEnabled``.
    public struct ActivityEnablementUpdates: AsyncSequence, Sendable {
        public typealias Element = Bool

        let host: (any ActivityHost)?

        public func makeAsyncIterator() -> Iterator { Iterator(base: .init(host)) }

        public struct Iterator: AsyncIteratorProtocol {
            var base: AuthorizationIterator

            public mutating func next() async -> Bool? { await base.next(\.areActivitiesEnabled) }
        }
    }

    /// The changes of ``frequentPushesEnabled``.
    @available(iOS 16.2, *)
    public struct FrequentPushEnablementUpdates: AsyncSequence, Sendable {
        public typealias Element = Bool

        let host: (any ActivityHost)?

        public func makeAsyncIterator() -> Iterator { Iterator(base: .init(host)) }

        public struct Iterator: AsyncIteratorProtocol {
            var base: AuthorizationIterator

            public mutating func next() async -> Bool? { await base.next(\.frequentPushesEnabled) }
        }
    }
}

/// Reads the changes of one permission.
struct AuthorizationIterator {
    private var events: AsyncStream<ActivityEvent>.Iterator?
    private var last: ActivityAuthorization?

    init(_ host: (any ActivityHost)?) {
        last = host?.activityAuthorization
        events = host?.events({ [] }) {
            if case .authorization = $0 { true } else { false }
        }.makeAsyncIterator()
    }

    mutating func next(_ permission: KeyPath<ActivityAuthorization, Bool>) async -> Bool? {
        while let event = await events?.next() {
            guard case .authorization(let new) = event else { continue }
            defer { last = new }
            if new[keyPath: permission] != last?[keyPath: permission] { return new[keyPath: permission] }
        }
        return nil
    }
}
