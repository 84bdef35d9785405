extension PushTrace: CustomStringConvertible {
    /// The text of `carillon why`: a line with the time, the kind and the identifier, and a line for each fact.
    public var description: String {
        let kind = pushType.map { "\($0.rawValue) push" } ?? origin.words
        let state = isFinished ? "" : " (not finished yet)"
        return (["\(arrivedAt)  \(kind) \(subject)\(state)"] + reasons.map { "  \($0)" }).joined(separator: "\n")
    }

    /// The push's collapse ID; without one, the notification's identifier; without either, the kind of the event.
    package var subject: String { collapseID ?? notificationID ?? what }

    /// The kind of the event.
    package var what: String { event ?? (origin == .launch ? "launched \(topic)" : "a push") }

    /// The places in which the push was shown or the reasons why it was not, the waking of the app, and further notes.
    package var reasons: [String] { presentationWords + wakeWords + notes }

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
