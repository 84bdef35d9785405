import CarillonCore
import CarillonDevice
import CarillonExplain
import Foundation

/// A check that explains a payload while the person types it, like `carillon validate`.
struct PayloadCheck: Sendable {
    let explanation: PayloadExplanation

    /// Parses the request.
    ///
    /// - Parameter json: an object with `payload` (the text as typed) and optionally `push_type` and `priority`.
    /// - Throws: ``PageProblem`` that names the invalid member.
    init(_ json: JSONValue) throws {
        guard let payload = json["payload"]?.stringValue else {
            throw PageProblem(422, "A value is missing", "payload must be a string: the payload as it is typed")
        }
        let type = try RawPush.pushType(json["push_type"])
        explanation = PayloadExplanation(of: Data(payload.utf8), pushType: type, priority: json["priority"]?.intValue)
    }
}
