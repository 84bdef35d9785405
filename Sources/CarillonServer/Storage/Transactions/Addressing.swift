import CarillonCore

/// To whom a revision of a message goes, as it was accepted.
struct Addressing: Codable {
    /// Whom it is for, at the moment at which it was accepted.
    enum Recipients: Codable {
        case users([String])
        case devices([String])
        /// All confirmed devices with an ordinal up to this one.
        case everyone(upTo: Int64)
        /// Those of them on whom a condition holds (``AudienceExpression/description``), whose ages count from `at`.
        case matching(upTo: Int64, condition: String, at: Timestamp)
    }

    /// The message's number.
    var message: Int64
    var id: MessageID
    var app: Int64
    var recipients: Recipients
    var revision: Int
    /// For how many devices it is, as its sender was told.
    var devices: Int
    var countsAsUnread: Bool
    var until: Timestamp?
    /// Whether it waited for a moment of its own: whom it is for was fixed then.
    var isScheduled: Bool?
    /// Whether the revision before may have been for others.
    var hasOtherAudience: Bool

    var lane: DeliveryLane { DeliveryLane(devices: devices) }
    /// Whether the revision before may be in inboxes in which this one is not to be.
    var leavesInboxes: Bool { revision > 1 && (hasOtherAudience || !countsAsUnread) }
    /// Whether nobody is named.
    var isBroadcast: Bool {
        switch recipients {
        case .users, .devices: false
        case .everyone, .matching: true
        }
    }
}
