import CarillonCore
import CarillonSimulator

/// The pushes that APNs accepted, counted at APNs itself.
struct PushCensus: Sendable {
    /// The number of times that each push was accepted, by `apns-id`.
    let taken: [String: Int]
    /// The messages that each device token was sent.
    let messages: [String: Set<String>]

    /// The notes of APNs on each push, in order.
    private let notes: [String: [String]]

    init(_ requests: [RequestRecord]) {
        let accepted = requests.filter { $0.decision == .accepted }
        taken = accepted.reduce(into: [:]) { $0[$1.apnsID, default: 0] += 1 }
        messages = accepted.reduce(into: [:]) { messages, request in
            guard let token = request.deviceToken, let id = request.header("apns-collapse-id") else { return }
            messages[token.data.hexadecimal, default: []].insert(id)
        }
        notes = requests.reduce(into: [:]) { notes, request in
            notes[request.apnsID, default: []].append("\(request.decision) over \(request.connection)")
        }
    }

    /// Returns the outcome of each request with that push.
    func words(of push: String) -> String { notes[push]?.joined(separator: ", ") ?? "" }

    /// Pushes that were taken more than once.
    var doubled: [String: Int] { taken.filter { $0.value > 1 } }
}
