import CarillonApp
import CarillonCore
import CarillonUserInfo
import Foundation

@testable import CarillonMessaging

extension Harness {
    static let dialectHarnesses = [key, interpreter]

    private static let now = Timestamp(secondsSince1970: 1_800_000_000)

    private static let key = Harness(name: "key") { bytes in
        guard let json = try? JSONValue(parsing: Data(bytes)), let key = CarillonKey(json: json) else { return }
        demand(CarillonKey(json: key.json)?.json == key.json, "a key is read as it was written")
    }

    /// A payload in any dialect, all the way to what becomes of the message.
    private static let interpreter = Harness(name: "interpreter") { bytes in
        guard let payload = try? JSONValue(parsing: Data(bytes)).objectValue else { return }
        if let userInfo = JSONValue.object(payload).foundationObject as? [String: Any] {
            _ = PushInterpreter().instructions(forUserInfo: userInfo)
        }
        let instructions = PushInterpreter().instructions(for: payload)
        var policy = MessagePolicy(receiptPrefix: "p")
        let moment = MessageMoment(now: now)
        run(policy.pushed(instructions, moment), of: instructions, &policy)
        guard let message = instructions.message else { return }
        demand(!message.identifier.isEmpty, "a message has an identifier")
        run(policy.alerted(message, instructions, moment), of: instructions, &policy)
        _ = policy.presenting(message, moment)
        policy.signOut(at: now)
    }

    /// Carries out a plan on a phone whose list is empty.
    private static func run(_ plan: MessagePlan, of push: PushInstructions, _ policy: inout MessagePolicy) {
        let moment = MessageMoment(now: now)
        for step in plan.steps {
            switch step {
            case .remove(let identifiers, let next):
                let named = push.removals.flatMap(\.identifiers) + [push.message?.identifier].compactMap(\.self)
                demand(Set(identifiers).isSubset(of: named), "only what is named goes")
                run(next(&policy, RemovalOutcome(), moment), of: push, &policy)
            case .add(let notification, let next):
                demand(notification.hasText, "what is shown has a text")
                run(next(&policy, nil, moment), of: push, &policy)
            case .find(_, let next), .findNew(_, let next): run(next(&policy, nil, moment), of: push, &policy)
            case .readList(let next), .readPending(let next): run(next(&policy, [], moment), of: push, &policy)
            case .decide(let next): run(next(&policy, (), moment), of: push, &policy)
            case .setBadge, .save, .takeOver, .tell: break
            }
        }
    }
}
