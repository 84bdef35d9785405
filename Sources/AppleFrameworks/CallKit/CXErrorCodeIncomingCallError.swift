import Foundation

public let CXErrorDomainIncomingCall = "com.apple.CallKit.error.incomingcall"

/// The reason why an incoming call is not shown.
/// [CXErrorCodeIncomingCallError](https://developer.apple.com/documentation/callkit/cxerrorcodeincomingcallerror-swift.struct)
public struct CXErrorCodeIncomingCallError: Error, Hashable, Sendable, CustomNSError {
    public enum Code: Int, Sendable {
        case unknown = 0
        /// The app does not declare the background mode `voip`.
        case unentitled = 1
        case callUUIDAlreadyExists = 2
        case filteredByDoNotDisturb = 3
        case filteredByBlockList = 4
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }

    public static var errorDomain: String { CXErrorDomainIncomingCall }
    public var errorCode: Int { code.rawValue }

    public static let unknown = Code.unknown
    public static let unentitled = Code.unentitled
    public static let callUUIDAlreadyExists = Code.callUUIDAlreadyExists
    public static let filteredByDoNotDisturb = Code.filteredByDoNotDisturb
    public static let filteredByBlockList = Code.filteredByBlockList
}
