import Foundation

/// An error in an app's code that ends the app.
/// [NSException](https://developer.apple.com/documentation/foundation/nsexception)
///
/// Differs from iOS: nothing catches an exception. The code that raises it continues, but has no effect any more, because the
/// phone has ended the app.
open class NSException: NSObject {
    public let name: NSExceptionName
    public let reason: String?
    public let userInfo: [AnyHashable: Any]?

    public init(name aName: NSExceptionName, reason aReason: String?, userInfo aUserInfo: [AnyHashable: Any]? = nil) {
        name = aName
        reason = aReason
        userInfo = aUserInfo
        super.init()
    }

    /// Ends the app whose code is running, with the sentence that Xcode prints. Outside any app, the program stops.
    open func raise() {
        SimulatedDevices.hasMade(
            mistake: "uncaughtException", "'\(name.rawValue)', reason: '\(reason ?? "")'")
    }
}

extension NSExceptionName {
    public static let genericException = NSExceptionName(rawValue: "NSGenericException")
    public static let internalInconsistencyException = NSExceptionName(rawValue: "NSInternalInconsistencyException")
    public static let invalidArgumentException = NSExceptionName(rawValue: "NSInvalidArgumentException")
    public static let rangeException = NSExceptionName(rawValue: "NSRangeException")
}
