import CarillonAPNs
import CarillonCore
import Foundation

/// A message that a call in another service's words asks for.
struct DoorSend {
    enum Recipients: Hashable {
        /// Device tokens in hexadecimal, as the call has them.
        case tokens([String])
        /// The value of `to` in `POST /v1/notifications`.
        case to(JSONValue)
    }

    var recipients: Recipients
    /// The members of the body of `POST /v1/notifications` besides `to` and `topic`.
    var members: JSONObject
    /// The app's bundle id; `nil` if the call names none.
    var topic: String?
    /// The APNs environment of tokens that the service does not know yet.
    var environment = APNsEnvironment.production
    /// The SHA-256 by which a repetition of the call is recognised; `nil` if a repetition is another message.
    var fingerprint: Data?
    /// The names of members without effect.
    var ignored: [String] = []
}

/// The outcome of a ``DoorSend``.
struct DoorOutcome {
    /// A token to which nothing is sent.
    struct Failure: Hashable {
        var token: String
        /// APNs' reason, such as `Unregistered`, or a sentence.
        var reason: String
    }

    /// The message's id; `nil` if it is for nobody.
    var id: MessageID?
    var failures: [Failure] = []
    /// The number of addressed devices; `nil` if it is not known, as for a broadcast.
    var devices: Int?
}
