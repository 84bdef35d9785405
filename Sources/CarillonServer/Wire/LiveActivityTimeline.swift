import CarillonCore

/// The answer of `GET /v1/live-activities/{id}/timeline`: the newest event of each kind on each phone.
package struct LiveActivityTimeline: Sendable, Hashable, Codable {
    package struct Event: Sendable, Hashable, Codable {
        package var event: ActivityEventKind
        package var at: Timestamp
        /// The `timestamp` of the push that the event is about, in seconds since 1970; absent for an event about none.
        package var timestamp: Int64?
        package var detail: String?
    }

    package struct Phone: Sendable, Hashable, Codable {
        package var device: String
        package var state: ActivityPhoneState
        package var events: [Event]
    }

    package var id: MessageID
    /// The `timestamp` of the newest state, in seconds since 1970.
    package var timestamp: Int64
    package var phones: [Phone]
    /// The mark with which the next page is asked for; absent on the last page.
    package var next: String?
}
