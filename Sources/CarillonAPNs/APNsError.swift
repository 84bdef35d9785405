/// A failure of an ``APNsClient``: the client cannot be made, or a request was not sent or got no answer.
public struct APNsError: Error, Sendable, Hashable {
    /// The kind of a failure.
    ///
    /// Later versions may add codes.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case invalidNotification, invalidConfiguration, notSent, unknown, cancelled, shutDown, overloaded
            case untrustedAuthority, otherHostName, invalidServerCertificate
        }

        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// The notification is invalid and can never be sent.
        ///
        /// Nothing was sent.
        public static let invalidNotification = Code(.invalidNotification)
        /// The client cannot be made from this configuration.
        public static let invalidConfiguration = Code(.invalidConfiguration)
        /// APNs did not process the request, for example because there was no connection before the deadline.
        ///
        /// Sending the notification again is safe.
        public static let notSent = Code(.notSent)
        /// The request was sent, and no answer came.
        ///
        /// APNs may have delivered the notification. If it is sent again without a collapse id, the device may show it twice.
        public static let unknown = Code(.unknown)
        /// The task was cancelled.
        ///
        /// ``APNsError/mayHaveArrived`` says whether the notification had been sent before the cancellation.
        public static let cancelled = Code(.cancelled)
        /// The client is shutting down, or has been shut down.
        ///
        /// ``APNsError/mayHaveArrived`` says whether the notification had been sent before the shutdown.
        public static let shutDown = Code(.shutDown)
        /// More requests are in progress than ``APNsLimits/suspendedSends`` allows.
        ///
        /// Nothing was sent.
        public static let overloaded = Code(.overloaded)

        /// The server's certificate is not signed by an authority of ``APNsConfiguration/trustRoots``.
        ///
        /// Nothing was sent.
        public static let untrustedAuthority = Code(.untrustedAuthority)
        /// The server's certificate is not valid for the host of ``APNsConfiguration/endpoint``.
        ///
        /// Nothing was sent.
        public static let otherHostName = Code(.otherHostName)

        /// The server's certificate has expired, is not valid yet, is not for servers, or cannot be read; nothing was sent.
        public static let invalidServerCertificate = Code(.invalidServerCertificate)

        /// The code's name, such as `notSent`.
        public var description: String { kind.rawValue }
    }

    /// The kind of this failure.
    public let code: Code
    /// A sentence that says what happened, and to which request.
    ///
    /// The message never contains a token, a key or a payload.
    public let message: String
    /// A sentence that says what to do next.
    public let advice: String
    /// Whether APNs may have processed the notification despite the error.
    ///
    /// If `false`, sending the notification again is safe.
    public let mayHaveArrived: Bool

    /// Makes an error, for tests of code that handles the client's errors.
    public init(code: Code, message: String, advice: String, mayHaveArrived: Bool) {
        self.code = code
        self.message = message
        self.advice = advice
        self.mayHaveArrived = mayHaveArrived
    }
}

extension APNsError: CustomStringConvertible {
    /// The message and the advice.
    public var description: String { "\(message) \(advice)" }
}

extension APNsError {
    static func invalidNotification(_ message: String, advice: String) -> Self {
        Self(code: .invalidNotification, message: message, advice: advice, mayHaveArrived: false)
    }

    static func invalidConfiguration(_ message: String, advice: String) -> Self {
        Self(code: .invalidConfiguration, message: message, advice: advice, mayHaveArrived: false)
    }

    static func notSent(_ message: String, advice: String = "It is safe to send it again.") -> Self {
        Self(code: .notSent, message: message, advice: advice, mayHaveArrived: false)
    }

    static func distrusted(_ why: Distrust, _ message: String) -> Self {
        let code: Code =
            switch why {
            case .authority: .untrustedAuthority
            case .hostName: .otherHostName
            case .expired, .notYetValid, .notForServers, .unreadable: .invalidServerCertificate
            }
        return Self(code: code, message: message, advice: why.advice, mayHaveArrived: false)
    }

    static func unknown(_ message: String) -> Self {
        Self(
            code: .unknown, message: message,
            advice: "APNs may have delivered it: send it again only with the same apns-id and a collapse id.",
            mayHaveArrived: true)
    }

    /// The error for an answer that reports success, but has content that differs from Apple's documentation.
    static let unreadableAnswer = Self(
        code: .unknown, message: "The server did what was asked, and its answer cannot be read.",
        advice: "Is the endpoint APNs'? Channels are managed at productionChannels and sandboxChannels.",
        mayHaveArrived: true)

    static func cancelled(sent: Bool) -> Self {
        Self(
            code: .cancelled,
            message: sent
                ? "The sending task was cancelled while APNs' answer was awaited."
                : "The sending task was cancelled before the notification was sent.",
            advice: sent ? "APNs may have delivered it." : "Nothing was sent.", mayHaveArrived: sent)
    }

    static func shutDown(sent: Bool) -> Self {
        Self(
            code: .shutDown,
            message: sent
                ? "The client was shut down before APNs answered."
                : "The client is shut down.",
            advice: sent ? "APNs may have delivered it." : "Send it with a client that is running.",
            mayHaveArrived: sent)
    }

    static func overloaded(limit: Int) -> Self {
        Self(
            code: .overloaded, message: "\(limit) sends are under way already.",
            advice: "Send fewer at a time, or use the batch API, which waits by itself.", mayHaveArrived: false)
    }
}
