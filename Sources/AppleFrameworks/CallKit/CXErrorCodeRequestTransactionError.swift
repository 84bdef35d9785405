import Foundation

public let CXErrorDomainRequestTransaction = "com.apple.CallKit.error.requesttransaction"

/// The reason why a requested transaction is refused.
/// [CXErrorCodeRequestTransactionError](https://developer.apple.com/documentation/callkit/cxerrorcoderequesttransactionerror-swift.struct)
public struct CXErrorCodeRequestTransactionError: Error, Hashable, Sendable, CustomNSError {
    public enum Code: Int, Sendable {
        case unknown = 0
        case unentitled = 1
        /// The app has not made a ``CXProvider``.
        case unknownCallProvider = 2
        case emptyTransaction = 3
        case unknownCallUUID = 4
        case callUUIDAlreadyExists = 5
        case invalidAction = 6
        case maximumCallGroupsReached = 7
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }

    public static var errorDomain: String { CXErrorDomainRequestTransaction }
    public var errorCode: Int { code.rawValue }

    public static let unknown = Code.unknown
    public static let unentitled = Code.unentitled
    public static let unknownCallProvider = Code.unknownCallProvider
    public static let emptyTransaction = Code.emptyTransaction
    public static let unknownCallUUID = Code.unknownCallUUID
    public static let callUUIDAlreadyExists = Code.callUUIDAlreadyExists
    public static let invalidAction = Code.invalidAction
    public static let maximumCallGroupsReached = Code.maximumCallGroupsReached
}
