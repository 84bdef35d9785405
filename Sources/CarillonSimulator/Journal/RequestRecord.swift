import CarillonCore
import Foundation
import NIOHPACK

/// One request as received, with the simulator's decision.
public struct RequestRecord: Sendable {
    /// The ways in which a request ends.
    public enum Decision: Sendable, Hashable {
        /// 200: the request passed all checks.
        case accepted
        /// The request was rejected by a check, or by a failure (``Fault``) that the simulator injected on purpose.
        case rejected(Rejection)
        /// An injected failure (``Fault``) took the place of APNs' answer.
        ///
        /// The request got no answer, or the answer that the fault specifies.
        ///
        /// A request with ``Fault/loseAnswer`` counts as ``accepted``.
        case failed(Fault)
    }

    /// The number of the request's connection, counted from 1.
    public let connection: Int
    /// The method as received.
    ///
    /// APNs accepts POST.
    public let method: String
    /// The path without the text after `/3/device/`; if that text is a well-formed token, ``deviceToken`` has it.
    public let path: String
    /// The device token in the path; `nil` if it was not well-formed.
    public let deviceToken: DeviceToken?
    /// The headers in the order of their arrival, without pseudo-headers.
    ///
    /// Of `authorization`, only the scheme is kept, such as `bearer`.
    public let headers: [Header]
    /// The sender's credential as its request shows it, without secrets.
    public let credential: Credential
    /// The body.
    ///
    /// If the body is too large, only its first 8192 bytes are kept.
    public let payload: Data
    /// The `apns-id` of the answer: the sender's id, or one that the simulator made.
    public let apnsID: String
    /// The simulator's decision.
    public let decision: Decision
    /// The violations of rules that the simulator has tolerated, each as a sentence.
    ///
    /// See ``SimulatorConfiguration/isStrict``.
    public let notes: [String]

    /// A sender's credential, without anything that gives access to an account.
    public enum Credential: Sendable, Hashable {
        /// The request has neither a provider token nor a client certificate.
        case none
        /// The connection has a client certificate, which may send to these topics.
        case certificate(topics: [String])
        /// The request has a provider token with this header and these claims; its signature is left out.
        case token(header: JSONValue, claims: JSONValue)
        /// `authorization` holds no provider token that can be read.
        case unreadable
    }

    /// A header's name and value.
    public struct Header: Sendable, Hashable {
        /// The name in lower case, as HTTP/2 requires.
        public let name: String
        /// The value as received; for `authorization`, only the scheme.
        public let value: String
    }

    /// Returns the first value of a header; `nil` if the header is absent.
    ///
    /// - Parameter name: the name in lower case, such as `apns-topic`.
    /// - Returns: the value as received.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

extension RequestRecord.Header {
    /// Returns the headers without secrets.
    ///
    /// Provider tokens are left out, because they give access to an account.
    static func withoutSecrets(_ headers: HPACKHeaders) -> [RequestRecord.Header] {
        headers.compactMap { name, value, _ in
            if name.hasPrefix(":") { return nil }
            guard name == "authorization" else { return RequestRecord.Header(name: name, value: value) }
            let scheme = value.prefix { $0 != " " }
            return RequestRecord.Header(name: name, value: scheme.utf8.count < 20 ? "\(scheme) …" : "…")
        }
    }
}
