import CarillonCore

/// The outcome of ``Store/accept(_:at:)``.
package enum Acceptance: Sendable, Hashable {
    /// The message is on the disk.
    case accepted(SendAnswer, [TimelineEvent])
    /// The message had been accepted before; nothing was changed.
    case repeated(SendAnswer)
    case refused(Refusal)

    package enum Refusal: Sendable, Hashable {
        /// The idempotency key was used before with another body.
        case idempotencyKeyReused
        /// This very message was recalled; the id may be used again with other content.
        case recalled
        /// This very message was cancelled; the id may be used again with other content.
        case cancelled
        /// The earlier message with this id has gone out, so its replacement cannot be scheduled but only sent at once.
        case alreadySent
        /// The id belongs to a message with another audience, and the request does not ask to replace it.
        case otherAudience
        /// The named recipients have more devices than ``StoreLimits/audienceDevices``.
        case audienceTooLarge
        /// The message is for more devices than ``StoreLimits/audienceDevices`` and would replace a message that has a row
        /// for each device.
        case needsRanges
    }
}
