import CarillonCore

extension FeedDetails {
    private enum Member: String {
        case purpose, revision, attempt, reason, status, detail, reply, timestamp, environment, webhook
        case liveActivity = "live_activity"
        case apnsID = "apns_id"
    }

    /// The facts as a JSON object.
    ///
    /// The text is put together by hand, since it is written for each push.
    var json: String {
        var json = "{"
        func add(_ member: Member, _ value: String?) {
            guard let value else { return }
            json += "\(json.utf8.count > 1 ? "," : "")\"\(member.rawValue)\":\(value)"
        }
        add(.purpose, purpose.map { $0.rawValue.jsonQuoted })
        add(.revision, revision?.description)
        add(.attempt, attempt?.description)
        add(.reason, reason.map(\.jsonQuoted))
        add(.status, status?.description)
        add(.apnsID, apnsID.map(\.jsonQuoted))
        add(.detail, detail.map(\.jsonQuoted))
        add(.reply, reply.map(\.jsonQuoted))
        add(.liveActivity, liveActivity.map(\.jsonQuoted))
        add(.timestamp, timestamp?.description)
        add(.environment, environment.map { $0.rawValue.jsonQuoted })
        add(.webhook, webhook.map(\.jsonQuoted))
        return json + "}"
    }

    /// Reads facts from JSON.
    ///
    /// The result is `nil` for a value that is no object, and for an unknown purpose. Other unknown members are ignored.
    package init?(_ json: JSONValue) {
        guard let members = json.members else { return nil }
        func text(_ key: Member) -> String? { members[key.rawValue]?.stringValue }
        func number(_ key: Member) -> Int? { members[key.rawValue]?.intValue }
        let purpose = text(.purpose).map { PushPurpose(rawValue: $0) }
        if case .some(.none) = purpose { return nil }
        self.init(
            purpose: purpose ?? nil, revision: number(.revision), attempt: number(.attempt), reason: text(.reason),
            status: number(.status), apnsID: text(.apnsID), detail: text(.detail), reply: text(.reply),
            liveActivity: text(.liveActivity), timestamp: number(.timestamp).map { Int64($0) },
            environment: text(.environment).flatMap(APNsEnvironment.init(rawValue:)), webhook: text(.webhook))
    }
}
