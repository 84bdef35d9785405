import Foundation
import Synchronization
@_spi(Simulation) import UserNotifications

/// A Live Activity. [Activity](https://developer.apple.com/documentation/activitykit/activity)
///
/// Differs from iOS: presentations are not drawn with SwiftUI; the phone shows the values of attributes and content. The methods
/// that take a style or a start date are missing, and so are those of iOS 16.1 with a content state instead of a content.
@available(iOS 16.1, *)
public class Activity<Attributes>: Identifiable, @unchecked Sendable where Attributes: ActivityAttributes {
    // `@unchecked`: `attributes` is a constant of the app's own type, which Apple's class passes between threads too.
    public typealias ContentState = Attributes.ContentState

    public final let id: String
    public final let attributes: Attributes
    weak let host: (any ActivityHost)?
    /// The newest known values, for a Live Activity whose process has ended.
    private let known: Mutex<ActivityRecord>
    private let firstState: ContentState

    init?(_ record: ActivityRecord, host: (any ActivityHost)?) {
        guard let attributes = try? JSONDecoder().decode(Attributes.self, from: record.attributes),
            let state = try? JSONDecoder().decode(ContentState.self, from: record.content.state)
        else { return nil }
        id = record.id
        self.attributes = attributes
        self.host = host
        firstState = state
        known = Mutex(record)
    }

    var record: ActivityRecord {
        let newest = host?.activity(id)
        return known.withLock { known in
            if let newest { known = newest }
            return known
        }
    }

    /// The content on the screen.
    @available(iOS 16.2, *)
    public var content: ActivityContent<Activity<Attributes>.ContentState> {
        ActivityContent(record.content) ?? ActivityContent(state: firstState, staleDate: nil)
    }

    public var activityState: ActivityState { record.state }

    /// The token for pushes to this Live Activity; `nil` until the phone has fetched it.
    public var pushToken: Data? { record.pushToken }

    /// The app's Live Activities of this kind that are on the screen.
    public static var activities: [Activity<Attributes>] {
        let host = SimulatedDevices.currentProcess as? any ActivityHost
        return host?.activities(of: ActivityType(Attributes.self)).compactMap { Activity($0, host: host) } ?? []
    }

    /// Starts a Live Activity.
    ///
    /// - Parameters:
    ///   - attributes: the static values.
    ///   - content: the first content.
    ///   - pushType: the source of pushes; with `nil`, the default, only the app updates the Live Activity.
    /// - Throws: ``ActivityAuthorizationError``; the encoder's error if the values cannot become JSON.
    @available(iOS 16.2, *)
    public static func request(
        attributes: Attributes, content: ActivityContent<Activity<Attributes>.ContentState>, pushType: PushType? = nil
    ) throws -> Activity<Attributes> {
        guard let host = SimulatedDevices.currentProcess as? any ActivityHost else {
            throw ActivityAuthorizationError.unsupported
        }
        let record = try host.request(
            ActivityDraft(
                type: ActivityType(Attributes.self), attributes: JSONEncoder().encode(attributes),
                content: ActivityContentRecord(content), pushType: pushType))
        guard let activity = Activity(record, host: host) else { throw ActivityAuthorizationError.persistenceFailure }
        return activity
    }
}

// MARK: - changes by the app

@available(iOS 16.2, *)
extension Activity {
    /// Shows new content; ignored if the Live Activity has ended.
    public func update(_ content: ActivityContent<Activity<Attributes>.ContentState>) async {
        await update(content, alertConfiguration: nil)
    }

    /// Shows new content with an alert; ignored if the Live Activity has ended.
    public func update(
        _ content: ActivityContent<Activity<Attributes>.ContentState>, alertConfiguration: AlertConfiguration? = nil
    ) async { await change(to: content, alertConfiguration, at: nil) }

    /// Shows new content, unless `timestamp` is older than that of an earlier update.
    @available(iOS 17.2, *)
    public func update(
        _ content: ActivityContent<Activity<Attributes>.ContentState>, alertConfiguration: AlertConfiguration? = nil,
        timestamp: Date
    ) async { await change(to: content, alertConfiguration, at: timestamp) }

    /// Ends the Live Activity with its last content; `nil` keeps the content on the screen.
    public func end(
        _ content: ActivityContent<Activity<Attributes>.ContentState>?,
        dismissalPolicy: ActivityUIDismissalPolicy = .default
    ) async { await end(with: content, dismissalPolicy, at: nil) }

    /// Ends the Live Activity, unless `timestamp` is older than that of an earlier update.
    @available(iOS 17.2, *)
    public func end(
        _ content: ActivityContent<Activity<Attributes>.ContentState>?,
        dismissalPolicy: ActivityUIDismissalPolicy = .default, timestamp: Date
    ) async { await end(with: content, dismissalPolicy, at: timestamp) }

    private func change(
        to content: ActivityContent<ContentState>, _ alert: AlertConfiguration?, at timestamp: Date?
    ) async {
        guard let content = try? ActivityContentRecord(content) else { return }
        await carryOut(.update(content, alert: alert.map { ActivityAlert($0) }, timestamp: timestamp))
    }

    private func end(
        with content: ActivityContent<ContentState>?, _ policy: ActivityUIDismissalPolicy, at timestamp: Date?
    ) async {
        await carryOut(.end(content.flatMap { try? ActivityContentRecord($0) }, policy.kind, timestamp: timestamp))
    }

    /// The continuation is unsafe, because the phone never answers a terminated app.
    private func carryOut(_ change: ActivityChange) async {
        guard let host else { return }
        await withUnsafeContinuation { continuation in host.change(id, change) { continuation.resume() } }
    }
}

@available(iOS 16.2, *)
extension ActivityContent {
    init?(_ record: ActivityContentRecord) {
        guard let state = try? JSONDecoder().decode(State.self, from: record.state) else { return nil }
        self.init(state: state, staleDate: record.staleDate, relevanceScore: record.relevanceScore)
    }
}

extension ActivityContentRecord {
    init<State>(_ content: ActivityContent<State>) throws {
        self.init(
            state: try JSONEncoder().encode(content.state), staleDate: content.staleDate,
            relevanceScore: content.relevanceScore)
    }
}
