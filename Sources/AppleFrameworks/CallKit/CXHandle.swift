import Foundation

/// The address under which a person can be called, such as a telephone number.
/// [CXHandle](https://developer.apple.com/documentation/callkit/cxhandle)
open class CXHandle: NSObject, NSCopying {
    public enum HandleType: Int, Sendable {
        case generic = 1
        case phoneNumber = 2
        case emailAddress = 3
    }

    public let type: CXHandle.HandleType
    public let value: String

    public init(type: CXHandle.HandleType, value: String) {
        self.type = type
        self.value = value
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CXHandle).map { $0.type == type && $0.value == value } ?? false
    }

    open override var hash: Int { value.hashValue }
}
