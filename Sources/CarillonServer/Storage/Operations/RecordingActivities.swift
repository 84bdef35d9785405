import CarillonCore

/// Records what phones report about Live Activities, and tells it.
struct RecordingActivities: SessionPart {
    let session: StoreSession
    private let activities: ActivitiesTable
    private let phones: ActivityPhonesTable

    init(_ session: StoreSession) {
        self.session = session
        activities = ActivitiesTable(session)
        phones = ActivityPhonesTable(session)
    }

    /// Records receipts of a phone, each only once; those about Live Activities that are not the service's are ignored.
    func record(_ receipts: [LiveActivityReceipt], from device: String) throws {
        for receipt in receipts {
            let found = try phones.phones(
                where: "activity_phones.device = ? AND activities.type = ? AND activities.id = ?",
                [device, receipt.type, receipt.id]
            ).first
            guard var stored = found, stored.events.record(receipt) else { continue }
            if stored.phone.isFollowing {
                // No token is missing then, so the receipt alone says that the phone has it no more.
                switch receipt.event {
                case .ended, .dismissed: stored.phone.isGone = true
                case .started: stored.phone.isGone = false
                case .updated, .stale, .undecodable: break
                }
            }
            try phones.keep(stored)
            session.emit(
                FeedEventType(receipt.event), on: device, of: stored.activity.app,
                user: stored.isWithdrawn ? nil : stored.user,
                FeedDetails(
                    detail: receipt.detail, liveActivity: receipt.id, timestamp: receipt.timestamp))
        }
    }

    /// Returns the newest states of the Live Activities that a phone has, or that were started there.
    func states(of device: String) throws -> [LiveActivityStates.State] {
        let found = try phones.phones(
            where: """
                activity_phones.device = ? AND activity_phones.gone = 0 AND activity_phones.withdrawn = 0
                    AND activities.started > ?
                """, [device, (now - StoreLimits.activityLifetime).millisecondsSince1970])
        return found.filter { $0.phone.updateToken != nil || $0.phone.reach > .none }.suffix(LiveActivityReceipt.limit)
            .map { stored in
                let activity = stored.activity
                return LiveActivityStates.State(
                    type: activity.type, id: activity.id.rawValue, timestamp: activity.stamp,
                    attributes: .object(activity.attributes),
                    contentState: activity.content["content-state"] ?? .object([:]))
            }
    }

    /// Returns the timeline of a Live Activity, with at most `limit` phones; `nil` if the app has none with this id.
    ///
    /// - Parameters:
    ///   - id: the name of the Live Activity.
    ///   - app: the app.
    ///   - mark: the number of the last phone of the page before; 0 for the first page.
    ///   - limit: the greatest number of phones.
    /// - Returns: the timeline.
    /// - Throws: the errors of the database.
    func timeline(_ id: MessageID, of app: AppNumber, after mark: Int64, limit: Int) throws -> LiveActivityTimeline? {
        guard let known = try activities.activity(id, of: app) else { return nil }
        let found = try phones.page(of: known.number, after: mark, limit: limit + 1)
        return LiveActivityTimeline(
            id: id, timestamp: known.stamp,
            phones: found.prefix(limit).map {
                LiveActivityTimeline.Phone(
                    device: $0.device, state: $0.phone.standing(isQueued: $0.isQueued, at: now),
                    events: $0.events.timeline)
            },
            next: found.count > limit ? "\(found[limit - 1].number)" : nil)
    }
}
