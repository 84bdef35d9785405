/// What a person cannot do with the phone at this moment.
public struct PhoneError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        case unknownApp, unknownNotification, unknownAction, noPermissionSheet, phoneOff, phoneLocked, timedOut
        case notSettled, noView, unusablePayload, unknownLink
    }

    public let code: Code
    /// What is the matter and what to do, as a sentence.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
