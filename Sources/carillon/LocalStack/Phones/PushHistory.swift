import CarillonCore
import CarillonDevice

/// The pushes of one phone: an element of the response of `GET /pushes`.
struct PushHistory: Codable, Sendable, Equatable {
    /// The phone's id.
    var phone: String
    var name: String
    /// Oldest first.
    var pushes: [PushTrace]

    /// Only the pushes and notifications of `message`.
    func about(_ message: String) -> PushHistory {
        PushHistory(
            phone: phone, name: name,
            pushes: pushes.filter { $0.notificationID == message || $0.collapseID == message })
    }

    /// For a terminal: the phone's name, then for each push a line with its time and subject, and a line for each reason.
    ///
    /// - Parameter limit: how many of the newest pushes are listed.
    /// - Returns: the lines, without control characters.
    func text(limit: Int) -> String {
        let listed = pushes.suffix(limit)
        guard !listed.isEmpty else { return "\(name)\n  no pushes" }
        return ([name] + listed.flatMap(\.lines)).joined(separator: "\n").withoutControlCharacters
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
    /// Replaces control characters, so that text from outside cannot control the terminal.
    fileprivate var withoutControlCharacters: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0 != "\n" && $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
}
