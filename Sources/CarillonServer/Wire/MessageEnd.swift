import CarillonCore

/// The end of a message's validity, as a backend gives it and a report tells it.
package enum MessageEnd: Sendable, Hashable {
    /// The last moment at which the message may be seen.
    case at(Timestamp)
    /// The message is delivered now or never: APNs tries once and keeps nothing, and the service tries only for a short time
    /// (``DeliveryLimits/nowOrNeverLifetime``).
    ///
    /// A phone that gets the message keeps it.
    case now

    /// The word for ``now`` in JSON.
    static let nowWord = "now"

    /// Makes the end of a message from the parts that the store keeps.
    ///
    /// - Parameters:
    ///   - until: the last moment; `nil` for none.
    ///   - isNowOrNever: whether the message is delivered now or never.
    init?(until: Timestamp?, isNowOrNever: Bool) {
        if isNowOrNever {
            self = .now
        } else if let until {
            self = .at(until)
        } else {
            return nil
        }
    }

    /// The last moment at which the message may be seen; `nil` if a phone may keep it.
    package var until: Timestamp? { if case .at(let until) = self { until } else { nil } }
}

extension MessageEnd: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self), text == Self.nowWord {
            self = .now
        } else {
            self = .at(try container.decode(Timestamp.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .at(let until): try container.encode(until)
        case .now: try container.encode(Self.nowWord)
        }
    }
}
