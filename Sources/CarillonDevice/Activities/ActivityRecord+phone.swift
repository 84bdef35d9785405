@_spi(Simulation) import ActivityKit
import CarillonCore
import Foundation

extension ActivityRecord {
    /// Makes a Live Activity as the app's process knows it.
    init(_ activity: LiveActivity) {
        self.init(
            id: activity.id, type: activity.attributesType, attributes: Self.data(activity.attributes),
            content: ActivityContentRecord(
                state: Self.data(activity.contentState), staleDate: activity.staleDate?.date,
                relevanceScore: activity.relevanceScore),
            state: ActivityState(activity.state), pushToken: activity.pushToken)
    }

    /// The Live Activity after it has left the lock screen.
    var dismissed: ActivityRecord {
        var record = self
        (record.state, record.pushToken) = (.dismissed, nil)
        return record
    }

    private static func data(_ value: JSONValue) -> Data { (try? value.encoded()) ?? Data("null".utf8) }
}

extension ActivityState {
    fileprivate init(_ state: LiveActivity.State) {
        self =
            switch state {
            case .active: .active
            case .stale: .stale
            case .ended: .ended
            case .dismissed: .dismissed
            }
    }
}

extension ActivityChange {
    /// The new content; `nil` if the change keeps the content.
    var content: ActivityContentRecord? {
        switch self {
        case .update(let content, _, _): content
        case .end(let content, _, _): content
        }
    }
}

extension LiveActivity {
    /// Makes the Live Activity that an app has requested.
    init(
        _ record: ActivityRecord, bundleID: String, source: Source, startedAt: Timestamp, card: LiveActivityCard?
    ) {
        self.init(
            id: record.id, bundleID: bundleID, attributesType: record.type,
            attributes: (try? JSONValue(parsing: record.attributes)) ?? .null,
            contentState: (try? JSONValue(parsing: record.content.state)) ?? .null, card: card, startedAt: startedAt,
            staleDate: record.content.staleDate.map { Timestamp($0) }, relevanceScore: record.content.relevanceScore,
            source: source, newest: Double(startedAt.secondsSince1970))
    }
}

extension LiveActivity.Change {
    /// Makes the change that an app has requested.
    ///
    /// Without a timestamp of the app's own, the change counts as made now, in whole seconds, as in pushes.
    ///
    /// - Parameters:
    ///   - change: the app's request.
    ///   - now: the present time.
    ///   - card: returns the app's description of a content state, given as JSON.
    init(_ change: ActivityChange, at now: Timestamp, card: (Data) -> LiveActivityCard?) {
        let content = change.content
        let given: Date?
        switch change {
        case .update(_, _, let timestamp): given = timestamp
        case .end(_, let policy, let timestamp):
            given = timestamp
            dismissal =
                switch policy {
                case .standard: .standard
                case .immediate: .at(now)
                case .after(let date): .at(Timestamp(date))
                }
        }
        timestamp = given?.timeIntervalSince1970 ?? Double(now.secondsSince1970)
        contentState = content.flatMap { try? JSONValue(parsing: $0.state) }
        staleDate = content?.staleDate.map { Timestamp($0) }
        relevanceScore = content?.relevanceScore ?? 0
        self.card = content.flatMap { card($0.state) }
    }
}
