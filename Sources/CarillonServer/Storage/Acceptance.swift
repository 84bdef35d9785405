import CarillonCore

/// What came of ``Store/accept(_:at:)``.
package enum Acceptance: Sendable, Hashable {
    /// On disk.
    case accepted(SendAnswer, [TimelineEvent])
    /// It had been accepted before; nothing was changed.
    case repeated(SendAnswer)
    case refused(Refusal)

    package enum Refusal: Sendable, Hashable {
        /// The same idempotency key came with another body.
        case idempotencyKeyReused
        /// The very message was recalled; with other content the id may be used again.
        case recalled
        /// The very message was cancelled; with other content the id may be used again.
        case cancelled
        /// A message with this id has gone out, and what replaces it does so at once.
        case alreadySent
        /// The id belongs to a message for somebody else, and it was not said that this one is to replace it.
        case otherAudience
        /// Named recipients have more devices than ``ServiceLimits/audienceDevices``.
        case audienceTooLarge
        /// It is for more devices than ``ServiceLimits/audienceDevices``, and the message with its id, which it was to
        /// replace, has a row for each.
        case needsRanges
    }
}
