/// The `reason` of a rejection by APNs, as the answer contains it.
///
/// A reason that Apple adds later is kept unchanged. It can be compared, printed and stored like any other reason, and its
/// remedy follows from the answer's HTTP status ([Handling notification
/// responses](https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns)).
public struct APNsReason: RawRepresentable, Sendable, Hashable {
    /// Apple's spelling, such as `BadDeviceToken`.
    public let rawValue: String

    /// Makes a reason from the text in an answer.
    ///
    /// - Parameter rawValue: Apple's spelling. Any text is accepted. `BadEnvironmentKeyInToken`, which APNs has been seen to
    ///   send, becomes the documented ``badEnvironmentKeyIDInToken``.
    public init(rawValue: String) {
        self.rawValue = rawValue == "BadEnvironmentKeyInToken" ? "BadEnvironmentKeyIdInToken" : rawValue
    }

    /// Whether Apple documents this reason.
    public var isKnown: Bool { Self.documented[self] != nil }

    /// The HTTP status that Apple documents for this reason; `nil` for an unknown reason.
    public var status: Int? { Self.documented[self]?.status }

    /// Returns the remedy for a rejection with this reason.
    ///
    /// - Parameter status: the HTTP status of the answer. The status matters only for an unknown reason.
    /// - Returns: the documented remedy, or for an unknown reason the remedy that the status suggests.
    public func remedy(status: Int) -> APNsRemedy {
        if let documented = Self.documented[self] { return documented.remedy }
        return switch status {
        case 403: .fixCredential
        case 410: .removeDeviceToken
        case 429: .slowDown
        case 500...: .retryLater
        default: .giveUp
        }
    }
}

extension APNsReason: CustomStringConvertible {
    /// Apple's spelling, as in ``rawValue``.
    public var description: String { rawValue }
}

extension APNsReason: Codable {
    /// Decodes Apple's spelling from a string.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` if the value is not a string.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes Apple's spelling as a string.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
