import CarillonCore

// Events are written and read by the thousand: these take a fraction of the time of Foundation's encoder and decoder.

extension FeedEvent {
    /// The event as JSON: what its `Codable` conformance encodes.
    package var json: JSONValue {
        var members: JSONObject = [
            "id": .string(id), "type": .string(type.rawValue), "at": .string(at.description),
        ]
        members["message"] = message.map { .string($0.rawValue) }
        members["device"] = device.map { .string($0) }
        members["user"] = user.map { .string($0) }
        members["details"] = details.map(\.json)
        return .object(members)
    }
}

extension FeedDetails {
    /// The facts as JSON: what their `Codable` conformance encodes.
    package var json: JSONValue {
        var members = JSONObject()
        func set(_ key: CodingKeys, _ value: JSONValue?) { members[key.rawValue] = value }
        set(.purpose, purpose.map { .string($0.rawValue) })
        set(.revision, revision.map { .int(Int64($0)) })
        set(.attempt, attempt.map { .int(Int64($0)) })
        set(.reason, reason.map { .string($0) })
        set(.status, status.map { .int(Int64($0)) })
        set(.apnsID, apnsID.map { .string($0) })
        set(.detail, detail.map { .string($0) })
        set(.reply, reply.map { .string($0) })
        set(.liveActivity, liveActivity.map { .string($0) })
        set(.timestamp, timestamp.map { .int($0) })
        return .object(members)
    }

    /// Reads facts from JSON.
    ///
    /// The result is `nil` for a value that is no object, and for an unknown purpose. Other unknown members are ignored.
    package init?(_ json: JSONValue) {
        guard let members = json.members else { return nil }
        func text(_ key: CodingKeys) -> String? { members[key.rawValue]?.stringValue }
        func number(_ key: CodingKeys) -> Int? { members[key.rawValue]?.intValue }
        let purpose = text(.purpose).map { PushPurpose(rawValue: $0) }
        if case .some(.none) = purpose { return nil }
        self.init(
            purpose: purpose ?? nil, revision: number(.revision), attempt: number(.attempt), reason: text(.reason),
            status: number(.status), apnsID: text(.apnsID), detail: text(.detail), reply: text(.reply),
            liveActivity: text(.liveActivity), timestamp: number(.timestamp).map { Int64($0) })
    }
}
