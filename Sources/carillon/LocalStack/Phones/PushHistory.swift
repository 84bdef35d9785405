import CarillonCore
import CarillonDevice

/// What one phone says of the pushes it got: an element of the answer of `GET /pushes`.
struct PushHistory: Codable, Sendable, Equatable {
    /// The phone's id.
    var phone: String
    var name: String
    /// Oldest first.
    var pushes: [PushTrace]

    /// Only what is about `message`: its own pushes and notifications.
    func about(_ message: String) -> PushHistory {
        PushHistory(
            phone: phone, name: name,
            pushes: pushes.filter { $0.notificationID == message || $0.collapseID == message })
    }

    /// For a terminal: the phone's name, then a block for each push: when and what it was, and below it each reason.
    ///
    /// - Parameter limit: how many of the newest pushes are told.
    func text(limit: Int) -> String {
        let told = pushes.suffix(limit)
        guard !told.isEmpty else { return "\(name)\n  nothing" }
        return ([name] + told.flatMap(\.lines)).joined(separator: "\n").withoutControlCharacters
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
    /// What comes from outside cannot move the cursor of whoever reads it.
    fileprivate var withoutControlCharacters: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0 != "\n" && $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
}
