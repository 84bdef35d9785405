import CarillonDevice

extension PushHistory {
    /// Returns the history as text for a terminal.
    ///
    /// The first line is the phone's name. The time, the subject and the reasons of each push follow.
    ///
    /// - Parameter limit: the greatest number of pushes to list. The newest are listed.
    /// - Returns: the lines, without control characters.
    func text(limit: Int) -> String {
        let listed = pushes.suffix(limit)
        guard !listed.isEmpty else { return "\(name)\n  no pushes" }
        return ([name] + listed.flatMap(\.lines)).joined(separator: "\n").withoutControlCharacters
    }
}

extension PushTrace {
    /// The reason why this phone does not show the message, as a sentence.
    ///
    /// It is `nil` if the phone shows the message, or if no reason is known.
    var whyNotSeen: String? {
        if let presentation { return presentation.isShown ? nil : presentation.why.first?.asSentence }
        guard let wake else { return nil }
        switch wake.kind {
        case .notWoken, .held: return wake.why.asSentence
        case .called, .launched: return nil
        }
    }

    /// The push in one line, without the message's text.
    var sentence: String { ([messageID?.shortened ?? what] + reasons).joined(separator: "; ") }

    /// The message's id, or else the kind of the push.
    var subject: String { messageID ?? what }

    private var messageID: String? { collapseID ?? notificationID }
    private var what: String { event ?? (origin == .launch ? "launched \(topic)" : "a push") }

    /// The places in which the push was shown or the reasons why it was not, the waking of the app, and further notes.
    var reasons: [String] { presentationWords + wakeWords + notes }

    private var presentationWords: [String] {
        guard let presentation else { return [] }
        let places = presentation.places
        return (places.isEmpty ? [] : ["shown: " + places.joined(separator: ", ")]) + presentation.why
    }

    private var wakeWords: [String] {
        guard let wake else { return [] }
        return [wake.why] + (wake.answer.map { [$0.sentence] } ?? [])
    }
}

extension PushTrace.Wake.Answer {
    fileprivate var sentence: String {
        switch self {
        case .newData: "the app answered: new data"
        case .noData: "the app answered: no data"
        case .failed: "the app answered: failed"
        case .handled: "the app called the completion handler"
        case .never: "the app did not answer in time"
        case .notImplemented: "the app's delegate has no method for it"
        case .ended: "the app ended before it answered"
        }
    }
}

extension String {
    /// The text with a capital letter at the beginning and a full stop at the end.
    fileprivate var asSentence: String {
        let text = prefix(1).uppercased() + dropFirst()
        return text.hasSuffix(".") ? text : text + "."
    }
}

extension PushTrace {
    fileprivate var lines: [String] {
        let kind = pushType.map { "\($0.rawValue) push" } ?? origin.words
        let state = isFinished ? "" : " (not finished yet)"
        return ["  \(arrivedAt)  \(kind) \(subject)\(state)"] + reasons.map { "    \($0)" }
    }
}

extension PushTrace.Origin {
    fileprivate var words: String {
        switch self {
        case .push: "push"
        case .local: "local notification"
        case .launch: "launch"
        case .event: "event"
        }
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
