import CarillonCore
import Foundation
import NIOHPACK

/// One request as it came, with the simulator's decision.
public struct RequestRecord: Sendable {
    /// The ways in which a request ends.
    public enum Decision: Sendable, Hashable {
        /// 200: the request passed every check.
        case accepted
        /// The request was rejected, by a check or by a fault.
        case rejected(Rejection)
        /// There was no answer, or a made-up one, because of this fault; for ``Fault/loseAnswer`` see ``accepted``.
        case failed(Fault)
    }

    /// The number of the connection that it came over, counted from 1.
    public let connection: Int
    /// The method as it came; APNs takes POST.
    public let method: String
    /// The path without the device token, which ``deviceToken`` holds when it was well-formed.
    public let path: String
    /// The device token of the path; `nil` when it was not well-formed.
    public let deviceToken: DeviceToken?
    /// The headers in the order in which they came, without pseudo-headers; of `authorization` only the scheme.
    public let headers: [Header]
    /// The body; only the first 8192 bytes of one that was too large.
    public let payload: Data
    /// The `apns-id` of the answer: the id from the sender, or the one that the simulator made.
    public let apnsID: String
    /// The way in which this request ended.
    public let decision: Decision
    /// The tolerated breaches of rules, a sentence each; see ``SimulatorConfiguration/isStrict``.
    public let notes: [String]

    /// A header's name and value.
    public struct Header: Sendable, Hashable {
        /// The name, in lower case, as HTTP/2 has it.
        public let name: String
        /// The value as it came; for `authorization` only the scheme.
        public let value: String
    }

    /// Returns the first value of a header; `nil` when it did not come.
    ///
    /// - Parameter name: in lower case, such as `apns-topic`.
    /// - Returns: the value as it came.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

extension RequestRecord.Header {
    /// Returns the headers without secrets: a provider token opens an account, so none is kept.
    static func withoutSecrets(_ headers: HPACKHeaders) -> [RequestRecord.Header] {
        headers.compactMap { name, value, _ in
            if name.hasPrefix(":") { return nil }
            guard name == "authorization" else { return RequestRecord.Header(name: name, value: value) }
            let scheme = value.prefix { $0 != " " }
            return RequestRecord.Header(name: name, value: scheme.utf8.count < 20 ? "\(scheme) …" : "…")
        }
    }
}
