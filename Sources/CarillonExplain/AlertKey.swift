import CarillonCore

/// Explains the keys of an `alert` dictionary.
enum AlertKey {
    static func line(_ key: String, _ parts: [String: JSONValue], _ path: String) -> PayloadExplanation.Line {
        if key.hasSuffix("loc-args"), parts[String(key.dropLast("args".count)) + "key"] == nil {
            return .init(key: path, severity: .warning, meaning: "Fills nothing: there is no \(key.dropLast(4))key.")
        }
        if let meaning = meanings[key] {
            return .init(key: path, severity: .fine, meaning: meaning)
        }
        if let remark = legacy[key] {
            return .init(key: path, severity: .warning, meaning: remark)
        }
        return .init(key: path, severity: .warning, meaning: "Not a key of Apple's: the phone ignores it.")
    }

    private static let meanings = [
        "title": "The first line, in bold.",
        "subtitle": "The second line, in bold.",
        "body": "The text.",
        "launch-image": "The picture that the app shows while it launches.",
        "title-loc-key": "The title, from the app's own strings.",
        "title-loc-args": "What is filled into the title.",
        "subtitle-loc-key": "The subtitle, from the app's own strings.",
        "subtitle-loc-args": "What is filled into the subtitle.",
        "loc-key": "The text, from the app's own strings.",
        "loc-args": "What is filled into the text.",
    ]

    private static let legacy = [
        "action": "Used by Safari's website pushes only.",
        "action-loc-key": "Ignored since iOS 10: it named the button of an alert.",
        "show-view": "Ignored since iOS 10: it hid the View button of an alert.",
        "summary-arg": "Ignored since iOS 15: notifications are summarised differently.",
        "summary-arg-count": "Ignored since iOS 15: notifications are summarised differently.",
    ]
}
