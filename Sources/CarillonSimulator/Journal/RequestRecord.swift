import CarillonCore
import Foundation
import NIOHPACK

/// One request as it came, and what the simulator made of it.
public struct RequestRecord: Sendable {
    /// How the simulator answered.
    public enum Decision: Sendable, Hashable {
        case accepted
        case rejected(Rejection)
        /// There was no answer, or a made-up one, because of this fault; for ``Fault/loseAnswer`` see ``accepted``.
        case failed(Fault)
    }

    /// The connection it came over; connections are counted from 1.
    public let connection: Int
    public let method: String
    /// The path without the device token, which ``deviceToken`` holds when it was well-formed.
    public let path: String
    public let deviceToken: DeviceToken?
    /// The headers in the order in which they came, without pseudo-headers; of `authorization` only the scheme.
    public let headers: [Header]
    /// The body, of a payload that was too large only as much as was kept.
    public let payload: Data
    /// The id that was answered with: the sender's, or APNs' own.
    public let apnsID: String
    public let decision: Decision

    /// A header's name and value.
    public struct Header: Sendable, Hashable {
        public let name: String
        public let value: String
    }

    /// The first value of the header `name`, in lower case.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

extension RequestRecord.Header {
    /// Everything but secrets: a provider token opens an account, so none is kept.
    static func withoutSecrets(_ headers: HPACKHeaders) -> [RequestRecord.Header] {
        headers.compactMap { name, value, _ in
            if name.hasPrefix(":") { return nil }
            guard name == "authorization" else { return RequestRecord.Header(name: name, value: value) }
            let scheme = value.prefix { $0 != " " }
            return RequestRecord.Header(name: name, value: scheme.utf8.count < 20 ? "\(scheme) …" : "…")
        }
    }
}
