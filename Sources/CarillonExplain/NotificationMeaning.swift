import CarillonCore

/// The explanation of the keys of alert and background pushes.
struct NotificationMeaning {
    typealias Line = PayloadExplanation.Line

    let aps: Aps
    let pushType: PushType

    private var isBackground: Bool { pushType == .background }
    private var hasText: Bool { aps.alert?.hasText == true }

    // MARK: the whole

    var summary: [String] {
        var sentences = [shownSentence, wakeSentence]
        if aps.mutableContent, hasText, !isBackground {
            let seconds = IOSTimes.serviceExtensionSeconds
            sentences.append("The app's service extension may change it before it is shown, for about \(seconds) s.")
        }
        return sentences
    }

    private var shownSentence: String {
        if isBackground { return "Shows nothing: it is a background push." }
        if hasText {
            return
                "Shown as a banner, on the lock screen and in the notification center, if the person allows it; an app "
                + "in the foreground decides itself."
        }
        guard aps.isVisible else { return "Shows nothing." }
        let effects = [
            aps.badge.map { _ in "changes the number on the icon" }, aps.sound.map { _ in "makes a sound" },
        ]
        return "Shows no text: it only \(effects.compactMap { $0 }.joined(separator: " and "))."
    }

    private var wakeSentence: String {
        guard aps.contentAvailable else {
            return "Does not wake the app: it is told when the person opens it, or while it is in the foreground."
        }
        return "Wakes the app for about \(IOSTimes.backgroundTimeSeconds) s, or launches it in the background, if it "
            + "declares the background mode remote-notification; not after a force-quit."
    }

    // MARK: the keys

    /// Returns the explanation of a key with a valid value; `nil` if the explanation of another key already covers it.
    func line(of key: PayloadKey, _ value: JSONValue, among siblings: JSONObject) -> Line? {
        switch key.place {
        case .aps: apsLine(key, value)
        case .alert: alertLine(key, siblings)
        case .sound: isBackground ? nil : .fine(key.path, Self.soundMeanings[key.name] ?? "")
        }
    }

    private func apsLine(_ key: PayloadKey, _ value: JSONValue) -> Line? {
        let path = key.path
        switch key.name {
        case "alert": return alertLine(value, path)
        case "badge": return badgeLine(path)
        case "sound": return soundLine(value, path)
        case "category":
            return .fine(
                path, "Offers the actions of the category “\(value.stringValue ?? "")”, if the app declared it.")
        case "content-available": return contentAvailableLine(value, path)
        case "mutable-content": return mutableContentLine(value, path)
        case "interruption-level": return levelLine(value.stringValue ?? "", path)
        default: return .fine(path, Self.meanings[key.name] ?? "")
        }
    }

    private func alertLine(_ value: JSONValue, _ path: String) -> Line? {
        if isBackground {
            return .warning(path, "Not shown: it has no effect in a background push; use push type alert.")
        }
        if !hasText { return .warning(path, "Has no text, so nothing is shown.") }
        return value.stringValue.map { _ in .fine(path, "The notification's text.") }
    }

    private func alertLine(_ key: PayloadKey, _ siblings: JSONObject) -> Line? {
        // The explanation of `aps.alert` already says that an alert has no text.
        guard hasText, !isBackground else { return nil }
        let keyOfArguments = key.name.hasSuffix("loc-args") ? String(key.name.dropLast("args".count)) + "key" : nil
        if let keyOfArguments, siblings[keyOfArguments]?.stringValue == nil {
            return .warning(key.path, "Fills nothing: there is no \(keyOfArguments).")
        }
        return .fine(key.path, Self.alertMeanings[key.name] ?? "")
    }

    private func badgeLine(_ path: String) -> Line {
        if isBackground { return .warning(path, "Ignored in a background push.") }
        let number = aps.badge ?? 0
        if number == 0 {
            return .warning(
                path,
                "Removes the number from the icon; on many versions of iOS also every notification of the app.")
        }
        return .fine(path, "Sets the number on the icon to \(number): not added to the one there.")
    }

    private func soundLine(_ value: JSONValue, _ path: String) -> Line {
        if isBackground { return .warning(path, "Ignored in a background push.") }
        if PayloadValue.isOne(value["critical"]) {
            return .warning(path, "A critical sound, heard on a muted phone too: needs Apple's entitlement.")
        }
        let name = aps.sound?.name ?? "default"
        return .fine(path, name == "default" ? "Plays the default sound." : "Plays “\(name)”, if the app contains it.")
    }

    private func contentAvailableLine(_ value: JSONValue, _ path: String) -> Line {
        guard aps.contentAvailable else { return .warning(path, "Has no effect: it must be 1 to wake the app.") }
        if isBackground { return .fine(path, "Wakes the app in the background; priority must be 5.") }
        return .fine(path, "Wakes the app as well as showing the notification.")
    }

    private func mutableContentLine(_ value: JSONValue, _ path: String) -> Line {
        guard aps.mutableContent else { return .warning(path, "Has no effect: it must be 1.") }
        guard hasText, !isBackground else {
            return .warning(path, "Has no effect: the service extension runs only for a push with text.")
        }
        return .fine(path, "Lets the service extension change it.")
    }

    private func levelLine(_ level: String, _ path: String) -> Line {
        switch level {
        case "passive": .fine(path, "Goes to the list without a banner or a sound.")
        case "time-sensitive":
            .fine(path, "Breaks through a Focus, if the app has the capability and the person has not disabled it.")
        case "critical": .warning(path, "Ignores mute and Focus: needs Apple's entitlement.")
        default: .fine(path, "The default.")
        }
    }

    private static let meanings = [
        "thread-id": "Groups it with others of the same thread.",
        "target-content-id": "Names the window to bring to the front.",
        "relevance-score": "Ranks it in a summary.",
        "filter-criteria": "Decides whether it breaks through a Focus with a filter.",
    ]

    private static let alertMeanings = [
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

    private static let soundMeanings = [
        "critical": "1 makes it a critical sound, 0 an ordinary one.",
        "name": "The file in the app, or “default”.",
        "volume": "How loud a critical sound is, 0…1; nothing for an ordinary one.",
    ]
}
