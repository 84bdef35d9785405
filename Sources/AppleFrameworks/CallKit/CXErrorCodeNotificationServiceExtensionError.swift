import Foundation

public let CXErrorDomainNotificationServiceExtension = "com.apple.CallKit.error.notificationserviceextension"

/// The reason why a call that a service extension reports does not reach the app.
/// [CXErrorCodeNotificationServiceExtensionError](https://developer.apple.com/documentation/callkit/cxerrorcodenotificationserviceextensionerror-swift.struct)
@available(iOS 14.5, *)
public struct CXErrorCodeNotificationServiceExtensionError: Error, Hashable, Sendable, CustomNSError {
    public enum Code: Int, Sendable {
        case unknown = 0
        /// The process that reported the call is not a service extension.
        case invalidClientProcess = 1
        /// The extension lacks the entitlement to suppress notifications.
        case missingNotificationFilteringEntitlement = 2
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }

    public static var errorDomain: String { CXErrorDomainNotificationServiceExtension }
    public var errorCode: Int { code.rawValue }

    public static let unknown = Code.unknown
    public static let invalidClientProcess = Code.invalidClientProcess
    public static let missingNotificationFilteringEntitlement = Code.missingNotificationFilteringEntitlement
}
