/// The known changes of the departures, and the passengers' requests.
@MainActor public final class Timetable {
    private var changes: [String: TimetableChange] = [:]
    public private(set) var rebooked: [String] = []
    public private(set) var questions: [String] = []

    func apply(_ change: TimetableChange) { changes[change.ferry] = change }

    func rebook(_ ferry: String) { rebooked.append(ferry) }

    func ask(_ question: String, about ferry: String) { questions.append("\(ferry): \(question)") }

    public func line(for ferry: String) -> String {
        guard let change = changes[ferry] else { return "\(ferry): on time" }
        return change.isCancelled ? "\(ferry): cancelled" : "\(ferry): \(change.minutesLate) minutes late"
    }
}

/// The app's own part of a push: `{"ferry": "F7", "late": 20}` or `{"ferry": "F7", "cancelled": true}`.
struct TimetableChange {
    let ferry: String
    let minutesLate: Int
    let isCancelled: Bool

    init?(_ userInfo: [AnyHashable: Any]) {
        guard let ferry = userInfo["ferry"] as? String else { return nil }
        self.ferry = ferry
        minutesLate = userInfo["late"] as? Int ?? 0
        isCancelled = userInfo["cancelled"] as? Bool ?? false
    }
}
