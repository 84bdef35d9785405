import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

/// docs/delivery-states.md against the code: every event in every state that can be reached.
@Suite("The diagram of a delivery's states")
struct DeliveryStatesTests {
    private struct Step: Hashable, Comparable, CustomStringConvertible {
        var from: String
        var to: String

        var description: String { "\(from) --> \(to)" }
        static func < (one: Step, other: Step) -> Bool { one.description < other.description }
    }

    /// The facts on which the effect of an event depends.
    private struct Situation: Hashable {
        var state: String
        var reach: Reach
        var withdrawal: Removal.Reason?
        var isAnswered: Bool
        var attempts: Int
        var hasNewerRevision: Bool
        var isSkipped: Bool
    }

    private struct Node {
        var script: DeliveryScript
        var lease: SentPush?

        var state: String { script.delivery.show.isLeased ? "leased" : script.delivery.show.state.rawValue }
        var situation: Situation {
            let show = script.delivery.show
            return Situation(
                state: state, reach: show.reach, withdrawal: script.delivery.removal?.reason,
                isAnswered: script.delivery.answers.isAnswer,
                attempts: min(show.attempt, DeliveryLimits.unansweredAttempts),
                hasNewerRevision: lease.map { $0.revision < show.revision } ?? false,
                isSkipped: show.state == .skipped)
        }
    }

    private static let outcomes: [SendOutcome] = [
        .accepted(apnsID: PushIdentifier.uuid(name: "x", namespace: [])), rejected("PayloadTooLarge", 413),
        rejected("BadDeviceToken", 400), rejected("Unregistered", 410, since: noon), rejected("Busy", 503),
        rejected("InvalidProviderToken", 403), .unanswered("lost"), .notSent("x"), .noCredential("x"), .unsendable("x"),
    ]

    private func following(_ node: Node) -> [Node] {
        var nodes: [Node] = []
        func play(_ change: (inout Node) -> Void) {
            var next = node
            change(&next)
            nodes.append(next)
        }
        let revision = node.script.delivery.show.revision
        for event in [
            DeliveryEvent.accepted(revision: revision + 1, user: "u1"), .withdrawn(.recall), .ended, .cancelled("why"),
            .lapsed(.show), .expired(.show, "why"), .reported(.shown, revision: revision), .turn(.skipped("why")),
        ] { play { $0.script.receive(event) } }
        if node.script.delivery.show.isWaiting { play { $0.lease = $0.script.lease() } }
        if let lease = node.lease { for outcome in Self.outcomes { play { $0.script.answer(lease, outcome) } } }
        return nodes
    }

    private func reached() -> Set<Step> {
        var known: Set<Situation> = []
        var steps: Set<Step> = []
        var open = [Node(script: DeliveryScript())]
        while let node = open.popLast() {
            guard known.insert(node.situation).inserted else { continue }
            for next in following(node) {
                if next.state != node.state { steps.insert(Step(from: node.state, to: next.state)) }
                open.append(next)
            }
        }
        return steps
    }

    @Test("shows each step that can happen, and no other")
    func diagram() throws {
        let root = URL(filePath: #filePath).pathComponents.prefix { $0 != "Tests" }.joined(separator: "/")
        let text = try String(contentsOfFile: root + "/docs/delivery-states.md", encoding: .utf8)
        let picture = text.components(separatedBy: "stateDiagram-v2").last?.components(separatedBy: "```").first ?? ""
        let drawn = picture.split(separator: "\n").compactMap { line -> Step? in
            let parts = line.split(separator: ":")[0].components(separatedBy: "-->")
            guard parts.count == 2 else { return nil }
            let (from, to) = (
                parts[0].trimmingCharacters(in: .whitespaces), parts[1].trimmingCharacters(in: .whitespaces)
            )
            return from == "[*]" ? nil : Step(from: from, to: to)
        }
        #expect(drawn.count == Set(drawn).count)
        #expect(reached().sorted() == drawn.sorted())
    }
}
