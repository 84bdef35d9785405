import Foundation
@_spi(Simulation) import UserNotifications

/// The process of a running app, which forwards the app's use of ActivityKit to the simulated phone; usable from any thread.
@_spi(Simulation) public protocol ActivityHost: SimulatedProcess {
    var activityAuthorization: ActivityAuthorization { get }
    /// Whether the sequences of updates begin with the present value.
    var beginsWithCurrentValue: Bool { get }

    /// Returns the app's Live Activities of a kind that have not been dismissed, in the order in which they began.
    func activities(of type: ActivityType) -> [ActivityRecord]
    /// Returns a Live Activity of the app, even a dismissed one; `nil` if the process does not know it.
    func activity(_ id: String) -> ActivityRecord?
    /// Starts a Live Activity.
    ///
    /// - Throws: ``ActivityAuthorizationError`` if the phone does not allow it.
    func request(_ draft: ActivityDraft) throws -> ActivityRecord
    /// Changes a Live Activity; the completion handler is called when the phone has carried out the change or ignored it.
    func change(_ id: String, _ change: ActivityChange, completion: @escaping @Sendable () -> Void)
    /// Returns the app's push-to-start token, and requests one if there is none yet.
    func pushToStartToken(for type: ActivityType) -> Data?
    /// Calls `observer` with every event from now on, while the app runs.
    ///
    /// - Returns: a closure that ends the observation.
    func observe(_ observer: @escaping @Sendable (ActivityEvent) -> Void) -> @Sendable () -> Void
}

/// A kind of Live Activity: its name, and checks of JSON by the app's own types.
///
/// `@unchecked`: the closures have no state; they only name types, whose metatypes Swift does not take for Sendable.
@_spi(Simulation) public struct ActivityType: @unchecked Sendable {
    /// The type's name without its module, as `attributes-type` has it.
    public let name: String
    public let checkAttributes: (Data) throws -> Void
    public let checkContentState: (Data) throws -> Void

    public init<Attributes: ActivityAttributes>(_ type: Attributes.Type) {
        name = String(describing: type)
        checkAttributes = { _ = try JSONDecoder().decode(Attributes.self, from: $0) }
        checkContentState = { _ = try JSONDecoder().decode(Attributes.ContentState.self, from: $0) }
    }
}

/// The content of a Live Activity as JSON.
@_spi(Simulation) public struct ActivityContentRecord: Sendable, Hashable {
    public var state: Data
    public var staleDate: Date?
    public var relevanceScore: Double

    public init(state: Data, staleDate: Date?, relevanceScore: Double) {
        self.state = state
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
    }
}

/// A Live Activity as an app's process knows it.
@_spi(Simulation) public struct ActivityRecord: Sendable, Hashable {
    public let id: String
    public let type: String
    public let attributes: Data
    public var content: ActivityContentRecord
    public var state: ActivityState
    public var pushToken: Data?

    public init(
        id: String, type: String, attributes: Data, content: ActivityContentRecord, state: ActivityState = .active,
        pushToken: Data? = nil
    ) {
        self.id = id
        self.type = type
        self.attributes = attributes
        self.content = content
        self.state = state
        self.pushToken = pushToken
    }
}

/// An app's request for a Live Activity.
@_spi(Simulation) public struct ActivityDraft: Sendable {
    public let type: ActivityType
    public let attributes: Data
    public let content: ActivityContentRecord
    public let pushType: PushType?
}

/// An app's change of a Live Activity.
@_spi(Simulation) public enum ActivityChange: Sendable {
    case update(ActivityContentRecord, alert: ActivityAlert?, timestamp: Date?)
    case end(ActivityContentRecord?, ActivityUIDismissalPolicy.Kind, timestamp: Date?)
}

/// The alert of an update, in the phone's language.
@_spi(Simulation) public struct ActivityAlert: Sendable, Hashable {
    public let title: String
    public let body: String
    public let sound: String

    init(_ configuration: AlertConfiguration) {
        title = configuration.title.text
        body = configuration.body.text
        sound = configuration.sound.name
    }
}

/// The person's permissions for an app's Live Activities.
@_spi(Simulation) public struct ActivityAuthorization: Sendable, Hashable {
    public var areActivitiesEnabled: Bool
    public var frequentPushesEnabled: Bool

    public init(areActivitiesEnabled: Bool, frequentPushesEnabled: Bool) {
        self.areActivitiesEnabled = areActivitiesEnabled
        self.frequentPushesEnabled = frequentPushesEnabled
    }
}

/// News of the phone about an app's Live Activities.
@_spi(Simulation) public enum ActivityEvent: Sendable, Hashable {
    case started(ActivityRecord)
    /// The content, the state or the token has changed.
    case changed(ActivityRecord)
    case pushToStartToken(Data)
    case authorization(ActivityAuthorization)
}

extension ActivityHost {
    /// Returns the events that `matches` accepts, from now on, one after another.
    ///
    /// If ``beginsWithCurrentValue`` is `true`, the events of `current` come too. They are read after the observation has begun,
    /// so that no event is lost in between.
    func events(
        _ current: () -> [ActivityEvent], where matches: @escaping @Sendable (ActivityEvent) -> Bool
    ) -> AsyncStream<ActivityEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: ActivityEvent.self)
        let cancel = observe { if matches($0) { continuation.yield($0) } }
        continuation.onTermination = { _ in cancel() }
        let present = current()
        if beginsWithCurrentValue { for event in present { continuation.yield(event) } }
        return stream
    }
}
