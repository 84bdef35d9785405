import CarillonAPNs
import CarillonCore
import Foundation

/// The part of a Live Activity's push that its payload needs.
package struct ClaimedActivity: Sendable, Hashable {
    var id: MessageID
    /// The number of the phone's row in `activity_phones`.
    var phone: Int64
    var event: LiveActivityEvent
    /// The name of the app's type of attributes.
    var type: String
    /// The attributes, which only a start carries.
    var attributes: JSONObject
    /// The members of `aps` that the backend chose: `content-state`, `alert`, `stale-date`, `relevance-score`, `dismissal-date`.
    ///
    /// ``priorityKey`` stands beside them, and is no part of the payload.
    var content: JSONObject
    /// The value of `timestamp`, in seconds since 1970; greater than that of every earlier revision.
    var stamp: Int64
    /// The time until which APNs keeps the push.
    var until: Timestamp
    /// The id of the broadcast channel on which a start begins; `nil` for a start with a token.
    var channel: String?

    /// The key of the `apns-priority` in ``content``.
    static let priorityKey = "priority"

    /// The push's priority; updates of priority 10 cost the phone's budget.
    var priority: APNsPriority {
        let isConsiderate = content[Self.priorityKey] == .int(Int64(APNsPriority.considerate.rawValue))
        return event == .update && isConsiderate ? .considerate : .immediate
    }

    /// Returns the payload of the push.
    ///
    /// - Throws: `PayloadError` if the payload has more bytes than APNs accepts.
    func payload() throws(PayloadError) -> Data {
        var aps = JSONObject()
        for key in event.requiredKeys + event.optionalKeys { aps[key] = content[key] }
        aps["event"] = .string(event.rawValue)
        aps["timestamp"] = .int(stamp)
        if event == .start {
            aps["attributes-type"] = .string(type)
            aps["attributes"] = .object(attributes)
            if let channel {
                aps["input-push-channel"] = .string(channel)
            } else {
                aps["input-push-token"] = 1
            }
        }
        let data: Data
        do {
            data = try JSONValue.object(["aps": .object(aps)]).encoded()
        } catch {
            throw PayloadError(key: "", problem: "the payload has a number that JSON cannot express")
        }
        let limit = PushType.liveactivity.payloadByteLimit
        guard data.count <= limit else {
            throw PayloadError(
                key: "", problem: "the push to \(event.rawValue) it has \(data.count) bytes; APNs accepts \(limit)")
        }
        return data
    }
}
