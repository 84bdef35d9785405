/// The record of an event of a Live Activity on a phone; the phone reports this record to the service.
package struct LiveActivityReceipt: Sendable, Hashable, Codable {
    /// The events that the SDK can observe.
    package enum Event: String, Sendable, Hashable, CaseIterable, Codable {
        /// The Live Activity is on the phone, by a push or by the app.
        case started
        /// The phone shows the content of the push with this ``timestamp``.
        case updated
        /// The stale date has passed without an update.
        case stale
        /// The Live Activity has ended, and may still be on the lock screen.
        case ended
        /// The Live Activity has left the screen: the person has removed it, or its time there was over.
        case dismissed
        /// The app's type cannot decode the content of the push with this ``timestamp``; `detail` names the key.
        case undecodable
    }

    /// The greatest number of receipts in a request, and of Live Activities in its answer.
    package static let limit = 64
    /// The longest ``detail``, in bytes of UTF-8; the SDK shortens a longer one, and the service refuses it.
    package static let detailByteLimit = 200

    /// The name of the app's type of attributes.
    package var type: String
    /// The backend's name for the Live Activity.
    package var id: String
    package var event: Event
    /// The time at which the SDK noticed the event, by the phone's clock, corrected by the service's clock.
    package var at: Timestamp
    /// The `timestamp` of the push whose content the event is about, in seconds since 1970; `nil` for the other events.
    package var timestamp: Int64?
    /// The key that cannot be decoded, and the reason; `nil` for the other events.
    package var detail: String?

    package init(
        type: String, id: String, event: Event, at: Timestamp, timestamp: Int64? = nil, detail: String? = nil
    ) {
        self.type = type
        self.id = id
        self.event = event
        self.at = at
        self.timestamp = timestamp
        self.detail = detail
    }
}

/// The body of `POST /v1/devices/{id}/live-activities`.
package struct LiveActivityReceipts: Sendable, Hashable, Codable {
    package var receipts: [LiveActivityReceipt]

    package init(receipts: [LiveActivityReceipt]) { self.receipts = receipts }
}

/// The answer to ``LiveActivityReceipts``: the newest states of the phone's Live Activities.
///
/// ActivityKit does not tell an app the timestamp of a push. The SDK compares the content on the screen with these states instead.
package struct LiveActivityStates: Sendable, Hashable, Codable {
    package struct State: Sendable, Hashable, Codable {
        /// The name of the app's type of attributes.
        package var type: String
        /// The backend's name for the Live Activity.
        package var id: String
        /// The `timestamp` of the push with this state, in seconds since 1970.
        package var timestamp: Int64
        package var attributes: JSONValue
        package var contentState: JSONValue

        package init(type: String, id: String, timestamp: Int64, attributes: JSONValue, contentState: JSONValue) {
            self.type = type
            self.id = id
            self.timestamp = timestamp
            self.attributes = attributes
            self.contentState = contentState
        }

        private enum CodingKeys: String, CodingKey {
            case type, id, timestamp, attributes
            case contentState = "content-state"
        }
    }

    package var liveActivities: [State]

    package init(liveActivities: [State]) { self.liveActivities = liveActivities }

    private enum CodingKeys: String, CodingKey { case liveActivities = "live_activities" }
}
