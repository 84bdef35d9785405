import CarillonCore

/// Walks through a payload and says of each key what it does.
struct PayloadReading {
    let members: [String: JSONValue]
    let aps: [String: JSONValue]
    let pushType: PushType

    typealias Line = PayloadExplanation.Line

    /// `background` for what shows nothing and wakes the app, else `alert`.
    static func fittingType(_ aps: [String: JSONValue]) -> PushType {
        let shows = ["alert", "badge", "sound"].contains { aps[$0] != nil }
        return !shows && isOne(aps["content-available"]) ? .background : .alert
    }

    var lines: [Line] {
        // The app asks its own server then: a push for a call needs nothing but to come.
        if members["aps"] == nil, pushType == .voip { return customLines }
        guard members["aps"] != nil else {
            return [error("aps", "Missing: APNs answers PayloadEmpty.")] + customLines
        }
        guard members["aps"]?.objectValue != nil else {
            return [error("aps", "Must be a dictionary: APNs answers PayloadEmpty.")] + customLines
        }
        if aps.isEmpty { return [error("aps", "Empty: APNs answers PayloadEmpty.")] + customLines }
        return KnownApsKey.allCases.flatMap { key in aps[key.rawValue].map { lines(key, $0) } ?? [] }
            + unknownApsLines + customLines
    }

    // MARK: the whole

    var summary: [String] {
        if pushType == .voip {
            return [
                "Goes to PushKit: the app makes the phone ring by reporting a call, and iOS ends an app that reports none."
            ]
        }
        var sentences: [String] = []
        if pushType == .background {
            sentences.append("Shows nothing: it is a background push.")
        } else if hasText {
            sentences.append(
                "Shown as a banner, on the lock screen and in the notification center, if the person allows it; an app "
                    + "in the foreground decides itself.")
        } else if aps["badge"] != nil || aps["sound"] != nil {
            sentences.append("Shows no text: it only \(quietEffects).")
        } else {
            sentences.append("Shows nothing.")
        }
        sentences.append(wakeSentence)
        if Self.isOne(aps["mutable-content"]), hasText {
            let seconds = IOSTimes.serviceExtensionSeconds
            sentences.append("The app's service extension may change it before it is shown, for about \(seconds) s.")
        }
        return sentences
    }

    private var quietEffects: String {
        [aps["badge"].map { _ in "changes the number on the icon" }, aps["sound"].map { _ in "makes a sound" }]
            .compactMap { $0 }.joined(separator: " and ")
    }

    private var wakeSentence: String {
        guard Self.isOne(aps["content-available"]) else {
            return "Does not wake the app: it is told when the person opens it, or while it is in the foreground."
        }
        return "Wakes the app for about \(IOSTimes.backgroundTimeSeconds) s, or launches it in the background, if it "
            + "declares the background mode remote-notification; not after a force-quit."
    }

    private var hasText: Bool {
        if let text = aps["alert"]?.stringValue { return !text.isEmpty }
        let parts = aps["alert"]?.objectValue ?? [:]
        let keys = ["title", "subtitle", "body", "loc-key", "title-loc-key", "subtitle-loc-key"]
        return keys.contains { parts[$0]?.stringValue?.isEmpty == false }
    }

    // MARK: Apple's keys

    private func lines(_ key: KnownApsKey, _ value: JSONValue) -> [Line] {
        let path = "aps.\(key.rawValue)"
        if let problem = PayloadReading.problem(key.rawValue, value) {
            return [warning(path, "Ignored by the phone: it \(problem).")]
        }
        switch key {
        case .alert: return alertLines(value, path)
        case .badge: return [badgeLine(value.intValue ?? 0, path)]
        case .sound: return [soundLine(value, path)] + soundParts(value, path)
        case .threadID: return [fine(path, "Groups it with others of the same thread.")]
        case .category:
            return [
                fine(path, "Offers the actions of the category “\(value.stringValue ?? "")”, if the app declared it.")
            ]
        case .contentAvailable: return [contentAvailableLine(value, path)]
        case .mutableContent: return [mutableContentLine(value, path)]
        case .targetContentID: return [fine(path, "Names the window to bring to the front.")]
        case .interruptionLevel: return [levelLine(value.stringValue ?? "", path)]
        case .relevanceScore: return [fine(path, "Ranks it in a summary.")]
        case .filterCriteria: return [fine(path, "Decides whether it breaks through a Focus with a filter.")]
        }
    }

    private func alertLines(_ value: JSONValue, _ path: String) -> [Line] {
        if pushType == .background {
            return [warning(path, "Not shown: it has no effect in a background push; use push type alert.")]
        }
        if !hasText { return [warning(path, "Has no text, so nothing is shown.")] }
        if value.stringValue != nil { return [fine(path, "The notification's text.")] }
        let parts = value.objectValue ?? [:]
        return parts.keys.sorted().map { AlertKey.line($0, parts, "\(path).\($0)") }
    }

    private func badgeLine(_ number: Int, _ path: String) -> Line {
        if pushType == .background { return warning(path, "Ignored in a background push.") }
        if number == 0 {
            return warning(
                path,
                "Removes the number from the icon; on many versions of iOS also every notification of the app.")
        }
        return fine(path, "Sets the number on the icon to \(number): not added to the one there.")
    }

    private func soundLine(_ value: JSONValue, _ path: String) -> Line {
        if pushType == .background { return warning(path, "Ignored in a background push.") }
        if value.objectValue.map({ Self.isOne($0["critical"]) }) == true {
            return warning(path, "A critical sound, heard on a muted phone too: needs Apple's entitlement.")
        }
        let name = value.stringValue ?? value["name"]?.stringValue ?? "default"
        return fine(path, name == "default" ? "Plays the default sound." : "Plays “\(name)”, if the app contains it.")
    }

    /// The members of a sound that is a dictionary.
    private func soundParts(_ value: JSONValue, _ path: String) -> [Line] {
        guard pushType != .background, let parts = value.objectValue else { return [] }
        return parts.keys.sorted().map { key in
            switch key {
            case "critical": fine("\(path).critical", "1 makes it a critical sound, 0 an ordinary one.")
            case "name": fine("\(path).name", "The file in the app, or “default”.")
            case "volume": fine("\(path).volume", "How loud a critical sound is, 0…1; nothing for an ordinary one.")
            default: warning("\(path).\(key)", "Not a key of Apple's: the phone ignores it.")
            }
        }
    }

    private func contentAvailableLine(_ value: JSONValue, _ path: String) -> Line {
        guard Self.isOne(value) else { return warning(path, "Has no effect: it must be 1 to wake the app.") }
        if pushType == .background { return fine(path, "Wakes the app in the background; priority must be 5.") }
        return fine(path, "Wakes the app as well as showing the notification.")
    }

    private func mutableContentLine(_ value: JSONValue, _ path: String) -> Line {
        guard Self.isOne(value) else { return warning(path, "Has no effect: it must be 1.") }
        guard hasText, pushType != .background else {
            return warning(path, "Has no effect: the service extension runs only for a push with text.")
        }
        return fine(path, "Lets the service extension change it.")
    }

    private func levelLine(_ level: String, _ path: String) -> Line {
        switch level {
        case "passive": fine(path, "Goes to the list without a banner or a sound.")
        case "time-sensitive":
            fine(path, "Breaks through a Focus, if the app has the capability and the person has not disabled it.")
        case "critical": warning(path, "Ignores mute and Focus: needs Apple's entitlement.")
        default: fine(path, "The default.")
        }
    }

    // MARK: other keys

    private var unknownApsLines: [Line] {
        let known = Set(KnownApsKey.allCases.map(\.rawValue))
        return aps.keys.filter { !known.contains($0) }.sorted().map { key in
            if let remark = LegacyKey.remark(key) { return warning("aps.\(key)", remark) }
            return warning(
                "aps.\(key)",
                "Not a key of Apple's. The phone ignores it; the app finds it in userInfo[\"aps\"]. Put your own keys "
                    + "beside aps.")
        }
    }

    private var customLines: [Line] {
        members.keys.filter { $0 != "aps" }.sorted().map { key in
            fine(key, LegacyKey.dialect(key) ?? "Your own: the app finds it in userInfo.")
        }
    }

    // MARK: pieces

    /// The error that the strict reading of this one key reports; `nil` when it reports none.
    private static func problem(_ key: String, _ value: JSONValue) -> String? {
        do throws(PayloadError) {
            _ = try Aps(json: .object([key: value]))
            return nil
        } catch {
            return error.problem
        }
    }

    static func isOne(_ value: JSONValue?) -> Bool { value?.intValue == 1 || value?.boolValue == true }

    private func fine(_ key: String, _ meaning: String) -> Line {
        Line(key: key, severity: .fine, meaning: meaning)
    }
    private func warning(_ key: String, _ meaning: String) -> Line {
        Line(key: key, severity: .warning, meaning: meaning)
    }
    private func error(_ key: String, _ meaning: String) -> Line {
        Line(key: key, severity: .error, meaning: meaning)
    }
}
