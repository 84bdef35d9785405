import Foundation

public let UNErrorDomain = "UNErrorDomain"

/// An error of the notification center.
/// [UNError](https://developer.apple.com/documentation/usernotifications/unerror)
///
/// Differs from iOS: `catch UNError.notificationsNotAllowed` catches an `NSError` that the app has made, but `as? UNError`
/// fails for such an `NSError`, because Linux does not bridge errors.
public struct UNError: Error, Hashable, CustomNSError, @unchecked Sendable {
    // `@unchecked`: immutable; the values in `userInfo` are the responsibility of their maker, as on iOS.

    /// The codes of the notification center's errors.
    /// [UNError.Code](https://developer.apple.com/documentation/usernotifications/unerror/code)
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Int, Sendable {
        case notificationsNotAllowed = 1
        case attachmentInvalidURL = 100
        case attachmentUnrecognizedType = 101
        case attachmentInvalidFileSize = 102
        case attachmentNotInDataStore = 103
        case attachmentMoveIntoDataStoreFailed = 104
        case attachmentCorrupt = 105
        case notificationInvalidNoDate = 1400
        case notificationInvalidNoContent = 1401
        case contentProvidingObjectNotAllowed = 1500
        case contentProvidingInvalid = 1501
        case badgeInputInvalid = 1600
    }

    public let code: Code
    /// The values that were passed to the initializer, and the description of the error.
    public let userInfo: [String: Any]

    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.userInfo = [NSLocalizedDescriptionKey: code.sentence].merging(userInfo) { $1 }
    }

    public static var errorDomain: String { UNErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { userInfo }

    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && NSDictionary(dictionary: left.userInfo).isEqual(to: right.userInfo)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    public static let notificationsNotAllowed = Code.notificationsNotAllowed
    public static let attachmentInvalidURL = Code.attachmentInvalidURL
    public static let attachmentUnrecognizedType = Code.attachmentUnrecognizedType
    public static let attachmentInvalidFileSize = Code.attachmentInvalidFileSize
    public static let attachmentNotInDataStore = Code.attachmentNotInDataStore
    public static let attachmentMoveIntoDataStoreFailed = Code.attachmentMoveIntoDataStoreFailed
    public static let attachmentCorrupt = Code.attachmentCorrupt
    public static let notificationInvalidNoDate = Code.notificationInvalidNoDate
    public static let notificationInvalidNoContent = Code.notificationInvalidNoContent
    @available(iOS 15, *)
    public static let contentProvidingObjectNotAllowed = Code.contentProvidingObjectNotAllowed
    @available(iOS 15, *)
    public static let contentProvidingInvalid = Code.contentProvidingInvalid
    @available(iOS 16, *)
    public static let badgeInputInvalid = Code.badgeInputInvalid

}

extension UNError.Code {
    fileprivate var sentence: String {
        switch self {
        case .notificationsNotAllowed: "Notifications are not allowed for this application"
        case .attachmentInvalidURL: "Invalid attachment file URL"
        case .attachmentUnrecognizedType: "Unrecognized attachment file type"
        case .attachmentInvalidFileSize: "Invalid attachment file size"
        case .attachmentNotInDataStore: "Attachment is not in the data store"
        case .attachmentMoveIntoDataStoreFailed: "Attachment could not be moved into the data store"
        case .attachmentCorrupt: "Attachment file is corrupt"
        case .notificationInvalidNoDate: "Trigger will never fire"
        case .notificationInvalidNoContent: "Notification has no content"
        case .contentProvidingObjectNotAllowed: "This object may not provide content"
        case .contentProvidingInvalid: "The object's content is invalid"
        case .badgeInputInvalid: "A badge is a whole number that is not negative"
        }
    }
}

/// Matches an error in `catch UNError.notificationsNotAllowed`: a ``UNError``, or an `NSError` with the domain and the code
/// of this error.
public func ~= (code: UNError.Code, error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == UNErrorDomain && error.code == code.rawValue
}
