import CarillonApp
import CarillonCore
import CarillonMessaging
import Foundation

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
        let leaving = policy.remove(instructions.removals, at: now)
        demand(
            leaving.count <= instructions.removals.reduce(0) { $0 + $1.identifiers.count }, "only what is named goes")
        guard let message = instructions.message else { return }
        demand(!message.identifier.isEmpty, "a message has an identifier")
        _ = policy.aboutToShow(message, composedAt: instructions.composedAt, signedOut: false, at: now)
        if case .show(let notification) = policy.arrived(message, composedAt: instructions.composedAt, at: now) {
            demand(notification.hasText, "what is shown has a text")
            policy.wasShown(message.identifier, at: now)
        }
        _ = policy.mayBeSeen(message, at: now)
        policy.signOut(at: now)
    }
}
