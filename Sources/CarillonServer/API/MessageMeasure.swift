import CarillonCore
import Foundation

/// The size of a message's largest push, which a page shows while somebody writes the message.
package struct MessageMeasure: Sendable, Hashable, Encodable {
    /// The size in bytes, with everything that Carillon adds; `nil` if the service refuses the message.
    ///
    /// Removals of older messages, which a push carries only if they fit, do not count.
    package private(set) var bytes: Int?
    /// The reason why the service refuses the message; `nil` if it accepts the message.
    package private(set) var problem: String?
    /// The JSON pointer of the member that the reason is about; `nil` if it is about the whole message.
    package private(set) var pointer: String?

    /// Computes the size of a message's largest push, or the reason why the service refuses the message.
    ///
    /// Nothing is stored or sent.
    ///
    /// - Parameters:
    ///   - body: the body of `POST /v1/notifications`.
    ///   - app: the app that the message is for.
    ///   - now: the time of the call.
    package init(of body: JSONValue, for app: AppReference, at now: Timestamp) {
        let key = APIKeyRecord(id: "", name: "", secretHash: Data(), scopes: [.send], apps: [app], created: now)
        let rules = MessageRequest.Rules(key: key, topic: nil, now: now, freshID: Self.id, idempotencyKey: nil)
        do throws(Problem) {
            // A dry run computes the sizes of small messages too.
            let trial: JSONValue = .object((body.members ?? [:]).merging(["dry_run": true]) { $1 })
            bytes = try MessageRequest(ObjectReader(trial, pointer: ""), rules).sizes.values.max()
        } catch {
            (problem, pointer) = (error.document.detail, error.document.pointer)
        }
    }

    /// A placeholder id, as long as the ids that the service generates: 6 bytes of time, followed by
    /// ``ServiceLimits/drawnMessageIDBytes`` random bytes, in hexadecimal.
    static let id = String(repeating: "0", count: 2 * (6 + ServiceLimits.drawnMessageIDBytes))
}
