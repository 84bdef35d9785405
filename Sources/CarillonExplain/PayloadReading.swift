import CarillonCore

/// The members of a payload, prepared to explain each key for a push of one type.
struct PayloadReading {
    typealias Line = PayloadExplanation.Line

    let members: JSONObject
    let pushType: PushType
    /// The members of `aps`; empty if `aps` is absent or not a dictionary.
    let apsMembers: JSONObject
    /// The contents of `aps` as a phone reads them: a key with an invalid value counts as absent.
    let aps: Aps

    init(members: JSONObject, pushType: PushType) {
        self.members = members
        self.pushType = pushType
        apsMembers = members["aps"]?.members ?? [:]
        aps = Aps.read(apsMembers).0
    }

    /// The effects of the push, one sentence each.
    var summary: [String] {
        switch pushType {
        case .alert, .background: NotificationMeaning(aps: aps, pushType: pushType).summary
        case .liveactivity: [LiveActivityMeaning.summary(apsMembers)]
        default: [OtherMeaning.summary(of: pushType, members)]
        }
    }

    /// The text on the screen; `nil` if the push shows none.
    var text: PayloadExplanation.Text? {
        guard pushType == .alert, let alert = aps.alert, alert.hasText else { return nil }
        guard case .parts(let parts) = alert else { return .init(title: "", subtitle: "", body: alert.body ?? "") }
        return .init(
            title: parts.title ?? parts.titleLocKey ?? "", subtitle: parts.subtitle ?? parts.subtitleLocKey ?? "",
            body: parts.body ?? parts.locKey ?? "")
    }

    /// Returns an explanation of each key.
    ///
    /// - Parameter done: the paths of the keys to leave out, because they are already explained.
    /// - Returns: the explanations of all other keys.
    func lines(without done: [String]) -> [Line] {
        let lines = apsLines + missingLines + unknownLines + ownLines
        return lines.filter { !done.contains($0.key) }
    }

    // MARK: Apple's keys

    private var apsLines: [Line] {
        PayloadKey.keys(in: .aps, of: pushType).flatMap { key in
            apsMembers[key.name].map { lines(of: key, $0, among: apsMembers) } ?? []
        }
    }

    /// Returns the explanations of a key and of the members of its value.
    private func lines(of key: PayloadKey, _ value: JSONValue, among siblings: JSONObject) -> [Line] {
        if let problem = key.value.problem(with: value) {
            return [.warning(key.path, "Ignored by the phone: it \(problem).")]
        }
        let place = PayloadKey.Place(rawValue: key.path)
        var lines: [Line] = []
        if let line = line(of: key, value, among: siblings) { lines.append(line) }
        if let place, let parts = value.members { lines += members(parts, of: place) }
        return lines
    }

    private func members(_ parts: JSONObject, of place: PayloadKey.Place) -> [Line] {
        let keys = PayloadKey.keys(in: place, of: pushType)
        return parts.keys.sorted().flatMap { name -> [Line] in
            let path = "\(place.rawValue).\(name)"
            guard let value = parts[name] else { return [] }
            if let key = keys.first(where: { $0.name == name }) { return lines(of: key, value, among: parts) }
            // A background push shows no alert and plays no sound, which another line already says.
            if pushType == .background { return [] }
            let remark = place == .alert ? UnknownKey.legacyOfAlert(name) : nil
            let meant = UnknownKey.meant(by: name, in: place, pushType).map { "; did you mean \($0)?" } ?? "."
            return [.warning(path, remark ?? "Not a key of Apple's: the phone ignores it\(meant)")]
        }
    }

    private func line(of key: PayloadKey, _ value: JSONValue, among siblings: JSONObject) -> Line? {
        switch pushType {
        case .alert, .background:
            NotificationMeaning(aps: aps, pushType: pushType).line(of: key, value, among: siblings)
        case .liveactivity: LiveActivityMeaning.line(of: key, value, apsMembers)
        case .accessory: .fine(key.path, "Part of the accessory's encrypted answer.")
        default:
            PayloadValue.isOne(value)
                ? .fine(key.path, OtherMeaning.reload(by: pushType))
                : .warning(key.path, "Has no effect: it must be true.")
        }
    }

    private var missingLines: [Line] {
        switch pushType {
        case .background where !aps.contentAvailable && apsMembers["content-available"] == nil:
            [.warning("aps.content-available", "Missing: without it a background push wakes nobody. It must be 1.")]
        case .liveactivity: LiveActivityMeaning.missing(apsMembers)
        case .widgets where apsMembers["content-changed"] == nil, .controls where apsMembers["content-changed"] == nil:
            [.warning("aps.content-changed", "Missing: without it nothing is reloaded. It must be true.")]
        case .mdm where members["mdm"] == nil:
            [.warning("mdm", "Missing: a device ignores a device-management push without it.")]
        default: []
        }
    }

    // MARK: other keys

    private var unknownLines: [Line] {
        let known = Set(PayloadKey.keys(in: .aps, of: pushType).map(\.name))
        return apsMembers.keys.filter { !known.contains($0) }.sorted { ExactText($0) < ExactText($1) }.map { name in
            .warning("aps.\(name)", UnknownKey.remark(onAps: name, pushType))
        }
    }

    private var ownLines: [Line] {
        members.keys.filter { $0 != "aps" }.sorted { ExactText($0) < ExactText($1) }.map { name in
            if let path = members[name].flatMap({ Self.pathOfNull(in: $0, at: name) }) {
                return .warning(
                    name,
                    "\(path) is null: Apple allows a dictionary, an array, a string, a number or a Boolean. The app finds "
                        + "NSNull there.")
            }
            if let remark = UnknownKey.misplaced(name, pushType) { return .warning(name, remark) }
            return .fine(name, OtherMeaning.key(name, of: pushType) ?? UnknownKey.own(name))
        }
    }

    private static func pathOfNull(in value: JSONValue, at path: String) -> String? {
        switch value {
        case .null: path
        case .object(let members):
            members.sorted().lazy.compactMap { pathOfNull(in: $0.value, at: "\(path).\($0.key)") }
                .first
        case .array(let elements):
            elements.enumerated().lazy.compactMap { pathOfNull(in: $0.element, at: "\(path)[\($0.offset)]") }.first
        default: nil
        }
    }
}
