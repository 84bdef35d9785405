import CarillonCore

/// The answer of the calls on `/v1/live-activities`.
package struct LiveActivityReport: Sendable, Hashable, Codable {
    /// The state of a Live Activity as a whole.
    package enum State: String, Sendable, Hashable, CaseIterable, Codable {
        case running
        case ended
        /// Twenty hours have passed since the start, so iOS has removed it from all phones.
        case over
    }

    /// The state of a broadcast channel.
    package enum ChannelState: String, Sendable, Hashable, CaseIterable, Codable {
        /// APNs has not made it yet, so no phone is started.
        case making
        case open
        /// The Live Activity has ended, and the channel is deleted later.
        case closing
    }

    /// A broadcast channel of a Live Activity.
    package struct Channel: Sendable, Hashable, Codable {
        package var environment: APNsEnvironment
        package var state: ChannelState
        /// The last failed request in words; absent after a success.
        package var problem: String?
    }

    package var id: MessageID
    package var state: State
    /// The name of the app's type of attributes.
    package var attributesType: String
    /// The number of the newest state, counted from 1.
    package var revision: Int
    package var startedAt: Timestamp
    package var changedAt: Timestamp
    package var endedAt: Timestamp?
    /// The newest state, as the backend sent it.
    package var contentState: JSONValue
    /// The number of phones that it is for.
    package var devices: Int
    /// The numbers of phones in each state; a state without phones is absent.
    package var phones: [String: Int]
    /// The numbers of phones that have reported each event; for `updated`, of those that have shown the newest state.
    ///
    /// An event that no phone has reported is absent.
    package var receipts: [String: Int]
    /// The broadcast channels; absent if it has none.
    package var channels: [Channel]?
    /// The reason why it is for no phone; absent if it is for some.
    package var reason: NobodyReason?

    private enum CodingKeys: String, CodingKey {
        case id, state, revision, devices, phones, receipts, channels, reason
        case attributesType = "attributes-type"
        case startedAt = "started_at"
        case changedAt = "changed_at"
        case endedAt = "ended_at"
        case contentState = "content-state"
    }
}
