import CarillonCore

/// The explanation of the keys of Live Activity pushes, by the rules of ``LiveActivityEvent``, which the simulated phone keeps too.
///
/// See [Starting and updating Live
/// Activities](https://developer.apple.com/documentation/activitykit/starting-and-updating-live-activities-with-activitykit-push-notifications).
enum LiveActivityMeaning {
    static func summary(_ aps: JSONObject) -> String {
        switch event(aps) {
        case .start: "Starts a Live Activity, if the person allows it."
        case .update: "Updates a Live Activity, unless its timestamp is older than the one shown."
        case .end: "Ends a Live Activity."
        case nil: "Does nothing: a Live Activity needs aps.event, which is start, update or end."
        }
    }

    /// Returns the explanation of a key: a warning for a key that the event does not use, and for a time in milliseconds.
    static func line(of key: PayloadKey, _ value: JSONValue, _ aps: JSONObject) -> PayloadExplanation.Line {
        if LiveActivityEvent.times.contains(key.name), let time = value.doubleValue,
            LiveActivityEvent.isProbablyMilliseconds(time)
        {
            return .warning(key.path, "Probably in milliseconds: the phone reads seconds since 1970.")
        }
        if key.place == .aps, let event = event(aps), key.name != "event",
            !event.requiredKeys.contains(key.name), !event.optionalKeys.contains(key.name)
        {
            return .warning(key.path, "Not read when a Live Activity \(event.verb).")
        }
        return .fine(key.path, meanings[key.path] ?? "")
    }

    /// Returns a warning for each key that the event needs and the payload lacks.
    static func missing(_ aps: JSONObject) -> [PayloadExplanation.Line] {
        let needed = event(aps)?.requiredKeys ?? (aps["event"] == nil ? ["timestamp", "event"] : ["timestamp"])
        return needed.filter { aps[$0] == nil }.map {
            .warning("aps.\($0)", "Missing: the phone ignores this event of a Live Activity without it.")
        }
    }

    private static func event(_ aps: JSONObject) -> LiveActivityEvent? {
        aps["event"]?.stringValue.flatMap(LiveActivityEvent.init(rawValue:))
    }

    private static let meanings = [
        "aps.timestamp": "The time of the event, in seconds since 1970; the phone ignores an older one than it has.",
        "aps.event": "Starts, updates or ends the Live Activity.",
        "aps.content-state": "The content, as the app's ContentState reads it.",
        "aps.attributes-type": "The app's type of ActivityAttributes, by name.",
        "aps.attributes": "The attributes of the new Live Activity, which do not change.",
        "aps.stale-date": "The time from which the content counts as outdated, in seconds since 1970.",
        "aps.dismissal-date": "The time at which an ended Live Activity leaves the screen, in seconds since 1970.",
        "aps.relevance-score": "Ranks it among the app's Live Activities; any number, the highest leads.",
        "aps.input-push-token": "Asks for a token with which the new Live Activity is updated.",
        "aps.input-push-channel": "The channel whose broadcasts update the new Live Activity.",
        "aps.alert": "Lights the screen up and shows the expanded Live Activity.",
        "aps.alert.title": "The first line, where the Live Activity itself is not shown.",
        "aps.alert.body": "The text, where the Live Activity itself is not shown.",
        "aps.alert.sound": "The sound of the alert.",
    ]
}

extension LiveActivityEvent {
    /// The event as a verb, after "a Live Activity".
    fileprivate var verb: String {
        switch self {
        case .start: "starts"
        case .update: "is updated"
        case .end: "ends"
        }
    }
}
