import CarillonCore
import Foundation

/// A push for a Live Activity as a phone reads it.
///
/// A key with a value that iOS does not accept counts as absent; ``notes`` names it.
struct ActivityPush: Sendable, Hashable {
    let event: LiveActivityEvent
    /// The time at which the sender made the push, in seconds since 1970.
    let timestamp: Double
    let contentState: JSONValue?
    let attributesType: String?
    let attributes: JSONValue?
    let staleDate: Timestamp?
    let dismissalDate: Timestamp?
    let relevanceScore: Double
    let wantsToken: Bool
    let channelID: String?
    /// Whether the push alerts the person; the texts of the alert appear on Apple Watch only.
    let alerts: Bool
    /// The name of the alert's sound; `nil` for the system's sound.
    let sound: String?
    /// Notes of one sentence each, on keys that the phone ignores.
    let notes: [String]

    /// The reason why a phone cannot read a push, as a sentence without a full stop.
    struct Refusal: Error, Hashable {
        let why: String
    }

    /// Reads a payload.
    ///
    /// - Throws: ``Refusal`` if the payload is not JSON, or lacks a key that its event needs.
    init(payload: Data) throws(Refusal) {
        guard let members = try? JSONValue(parsing: payload).members else {
            throw Refusal(why: "dropped: the payload cannot be read: it is not a JSON dictionary")
        }
        guard let whole = members["aps"]?.members else {
            throw Refusal(why: "ignored: the payload has no aps dictionary")
        }
        let (aps, notes) = Self.valid(whole)
        guard let event = aps["event"]?.stringValue.flatMap(LiveActivityEvent.init(rawValue:)) else {
            throw Refusal(why: Self.refusal(of: "aps.event, which is start, update or end", notes))
        }
        for key in event.requiredKeys where aps[key] == nil {
            throw Refusal(why: Self.refusal(of: "aps.\(key), which the event \(event.rawValue) needs", notes))
        }
        self.event = event
        self.notes = notes
        timestamp = aps["timestamp"]?.doubleValue ?? 0
        contentState = aps["content-state"]
        attributesType = aps["attributes-type"]?.stringValue
        attributes = aps["attributes"]
        staleDate = Self.time(aps["stale-date"])
        dismissalDate = Self.time(aps["dismissal-date"])
        relevanceScore = aps["relevance-score"]?.doubleValue ?? 0
        wantsToken = PayloadValue.isOne(aps["input-push-token"])
        channelID = aps["input-push-channel"]?.stringValue
        alerts = aps["alert"] != nil
        sound = aps["alert"]?["sound"]?.stringValue
    }

    private static func refusal(of missing: String, _ notes: [String]) -> String {
        (["ignored: the push lacks \(missing)"] + notes).joined(separator: "; ")
    }

    /// Returns the members with a valid value, and a note for each other member.
    private static func valid(_ whole: JSONObject) -> (JSONObject, [String]) {
        var (aps, notes) = (whole, [String]())
        for key in PayloadKey.keys(in: .aps, of: .liveactivity) {
            guard let value = whole[key.name], let problem = key.value.problem(with: value) else { continue }
            aps[key.name] = nil
            notes.append("ignored: \(key.path) \(problem)")
        }
        return (aps, notes)
    }

    private static func time(_ value: JSONValue?) -> Timestamp? {
        value?.doubleValue.map { Timestamp(Date(timeIntervalSince1970: $0)) }
    }
}
