import CarillonCore

/// What a developer should hear of: told to ``CarillonConfiguration/report``, on any thread. Never holds a token, a
/// secret or a message's text.
public enum CarillonEvent: Sendable, Hashable {
    /// A file of the store made no sense; it was put aside, and its part of the SDK's memory starts fresh.
    case storeWasDamaged(file: String)
    /// The store cannot be read or written now, for instance before the phone's first unlock.
    case storeIsUnavailable(reason: String)
    /// The service was asked and did not answer, or refused; what was to be said is kept, and is said again later.
    case serviceFailed(request: String, reason: String)
    /// A part of a push could not be understood.
    case pushNotUnderstood(reason: String)
    /// iOS gave no device token.
    case noDeviceToken(reason: String)
    /// A notification could not be made or taken away.
    case notificationFailed(identifier: String, reason: String)
    /// ``CarillonServiceExtension/decrypt(_:)`` threw; the notification is shown as it came. Only the error's type is
    /// told, as the error itself may quote the text.
    case decryptionFailed(identifier: String, errorType: String)
    /// A notification is shown without the file that belongs to it.
    case attachmentFailed(identifier: String, reason: String)
    /// A completion handler was called in time, that long after it was received.
    case completed(name: String, milliseconds: Int64)
    /// A completion handler had to be called because its time was up; work went on behind it.
    case completionWasLate(name: String)
    /// A completion handler was never called by the code that had it; the SDK called it.
    case completionLeaked(name: String)
    /// A completion handler was called a second time; the call was ignored.
    case completionCalledTwice(name: String)
    /// Two parts of the app want to be the same delegate, or gave different answers.
    case delegatesConflict(String)
}
