import CarillonDevice

extension PushHistory {
    /// Returns the history as text for a terminal.
    ///
    /// The text has the phone's name and state, then each push with its time, its subject, and the reasons why it was or was not
    /// shown. The messages that APNs has not delivered come last.
    ///
    /// - Parameter limit: the greatest number of pushes to list; the newest pushes are listed.
    /// - Returns: the lines, without control characters.
    func text(limit: Int) -> String {
        let listed = pushes.suffix(limit).map(\.description)
        let missing = undelivered.map { "\($0.message)\n  \($0.why)" }
        let items = listed + missing
        let head = isOffline ? "\(name), which is in Airplane Mode: APNs stores the newest push of each app" : name
        let body = items.isEmpty ? ["no pushes"] : items
        let lines = body.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }.map { "  \($0)" }
        return ([head] + lines).joined(separator: "\n").withoutControlCharacters
    }
}

extension PushTrace {
    /// The reason why this phone does not show the push's message, as a sentence.
    ///
    /// The value is `nil` if the phone shows the message, or if no reason is known.
    var whyNotSeen: String? {
        if let presentation { return presentation.isShown ? nil : presentation.why.first?.asSentence }
        guard let wake else { return nil }
        switch wake.kind {
        case .notWoken, .held: return wake.why.asSentence
        case .called, .launched: return nil
        }
    }

    /// A sentence about an app that was woken and found nothing to show; `nil` for any other push.
    var answeredNothing: String? {
        guard presentation == nil, let answer = wake?.answer, [.noData, .failed].contains(answer) else { return nil }
        return "The app was woken, and answered \(answer.rawValue)."
    }

    /// The reason why a push for a Live Activity changed nothing, as a sentence; `nil` for any other push.
    var whyNoActivity: String? {
        guard pushType == .liveactivity else { return nil }
        return notes.first { $0.hasPrefix("ignored: ") || $0.hasPrefix("held: ") }?.asSentence
    }

    /// The push in one line, without the message's text.
    var sentence: String {
        let id = collapseID ?? notificationID
        return ([id?.shortened ?? what] + reasons).joined(separator: "; ")
    }
}

extension String {
    /// The text with a capital letter at the beginning and a full stop at the end.
    fileprivate var asSentence: String {
        let text = prefix(1).uppercased() + dropFirst()
        return text.hasSuffix(".") ? text : text + "."
    }
}

extension String {
    /// The text with its control characters replaced, so that text from outside cannot control the terminal.
    fileprivate var withoutControlCharacters: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0 != "\n" && $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
}
