import CarillonCore
import Foundation
import Testing

@testable import CarillonMessaging

/// Many random histories of messages, each as a text that must not change unless a decision is to change.
@Suite("Decisions stay as they were") struct RandomDecisionTests {
    @Test("500 random histories have the texts that they had", arguments: [UInt64(1)])
    func histories(firstSeed: UInt64) {
        var text = ""
        for seed in firstSeed..<firstSeed + 500 {
            var history = RandomHistory(seed: seed)
            text += "seed \(seed)\n" + history.text(occurrences: 30) + "\n"
        }
        // To compare two states of the code line by line.
        if let path = ProcessInfo.processInfo.environment["CARILLON_DECISIONS"] {
            try? Data(text.utf8).write(to: URL(fileURLWithPath: path))
        }
        #expect(Digest.hexadecimal(of: text.utf8) == "f0f565dddf53e5d4")
        #expect(text.split(separator: "\n").count == 43_404)
    }
}

/// One phone's messages, and what happens to them, drawn from a seed.
private struct RandomHistory {
    private var random: SeededGenerator
    private let trace = DecisionTrace()

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func text(occurrences: Int) -> String {
        for _ in 0..<occurrences {
            trace.now = trace.now + .milliseconds(Int.random(in: 0...90_000, using: &random))
            trace.sticky = Set(Self.names.filter { _ in isRare })
            trace.refusesAll = isRare
            trace.recalledMeanwhile = isRare ? [removal] : []
            trace.moment = MessageMoment(
                now: trace.now, carriesOutRecalls: !isRare, signedOut: isRare, maySuppress: Bool.random(using: &random))
            if isRare { trace.put(message) }
            trace(occurrence)
        }
        return trace.text
    }

    private static let names = ["a", "b", "c", "7"]

    private var isRare: Bool { mutating get { Int.random(in: 0..<6, using: &random) == 0 } }

    private var name: String { mutating get { Self.names[Int.random(in: 0..<Self.names.count, using: &random)] } }

    private var moment: Timestamp? {
        mutating get {
            Bool.random(using: &random)
                ? nil : trace.now + .milliseconds(Int.random(in: -60_000...60_000, using: &random))
        }
    }

    private var removal: PushRemoval {
        mutating get {
            let name = name
            let reasons: [Removal.Reason] = [.recall, .read, .replaced, .expired, .signOut]
            return PushRemoval(
                identifier: name, messageID: name == "7" ? nil : try? MessageID(name),
                revision: Int.random(in: 1...2, using: &random),
                reason: reasons[Int.random(in: 0..<reasons.count, using: &random)])
        }
    }

    private var message: PushMessage {
        mutating get {
            let name = name
            let local = LocalNotification(
                identifier: name, aps: Aps(alert: .text("text"), sound: .default), userInfo: [:])
            let presentations: [PushMessage.Presentation] = [
                .local(local), .local(local), .bySystem, .inApp, .nothing,
            ]
            var message = PushMessage(
                identifier: name, messageID: name == "7" ? nil : try? MessageID(name),
                presentation: presentations[Int.random(in: 0..<presentations.count, using: &random)], until: moment,
                attempt: Int.random(in: 1...2, using: &random), revision: Int.random(in: 1...2, using: &random))
            message.isNotice = isRare
            message.keepsReplies = Bool.random(using: &random)
            return message
        }
    }

    private var push: PushInstructions {
        mutating get {
            let dialects: [PushInstructions.Dialect] = [.carillon, .pushwoosh, .foreign]
            var push = PushInstructions(
                dialect: dialects[Int.random(in: 0..<dialects.count, using: &random)],
                message: isRare ? nil : message, removals: isRare ? [removal, removal] : [],
                badge: isRare ? 3 : nil, composedAt: moment)
            push.message?.composedAt = push.composedAt
            return push
        }
    }

    private var reaction: MessageReaction {
        mutating get {
            let kinds: [MessageReaction.Kind] = [.open, .dismiss, .act("like", text: nil), .act("reply", text: "yes")]
            return MessageReaction(
                kinds[Int.random(in: 0..<kinds.count, using: &random)], isReading: Bool.random(using: &random))
        }
    }

    private var occurrence: DecisionTrace.Occurrence {
        mutating get {
            let payload: [String: JSONValue] = ["id": .string(name)]
            switch Int.random(in: 0..<20, using: &random) {
            case 0...4: return .pushed(push)
            case 5...7:
                let push = push
                return .alerted(push.message, push)
            case 8:
                var message = message
                message.composedAt = moment
                return .presenting(message)
            case 9: return .notPresented(name)
            case 10: return .presented(name)
            case 11: return .removalsCame([removal, removal], besides: isRare ? try? MessageID("a") : nil)
            case 12: return .responded(message, reaction)
            case 13:
                let message = message
                guard let id = try? MessageID(message.identifier) else { return .listMayBeOld }
                return .readInApp(id, listed: message.revision)
            case 14: return .reconciling
            case 15: return .listMayBeOld
            case 16: return .launched(message)
            case 17: return .reachingApp(isRare ? nil : message, payload: payload)
            case 18: return .reachingAppShown(name, payload: payload)
            default: return isRare ? .signedOut : .reconciling
            }
        }
    }
}
