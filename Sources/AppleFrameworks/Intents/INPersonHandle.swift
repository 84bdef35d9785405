import Foundation

/// The kind of address in a handle.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum INPersonHandleType: Int, Sendable {
    case unknown = 0
    case emailAddress = 1
    case phoneNumber = 2
}

/// The purpose of a handle, such as home or work.
public struct INPersonHandleLabel: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public static let home = Self("INPersonHandleLabelHome")
    public static let work = Self("INPersonHandleLabelWork")
    public static let iPhone = Self("INPersonHandleLabeliPhone")
    public static let mobile = Self("INPersonHandleLabelMobile")
    public static let main = Self("INPersonHandleLabelMain")
    public static let other = Self("INPersonHandleLabelOther")
}

/// A person's address: a telephone number, an e-mail address, or the app's own identifier.
/// [INPersonHandle](https://developer.apple.com/documentation/intents/inpersonhandle)
open class INPersonHandle: NSObject, NSCopying, NSSecureCoding {
    struct Fields: Codable, Hashable {
        var value: String?
        var type: Int
        var label: String?
    }

    let fields: Fields

    init(fields: Fields) { self.fields = fields }

    public convenience init(value: String?, type: INPersonHandleType) {
        self.init(value: value, type: type, label: nil)
    }

    public convenience init(value: String?, type: INPersonHandleType, label: INPersonHandleLabel?) {
        self.init(fields: Fields(value: value, type: type.rawValue, label: label?.rawValue))
    }

    open var value: String? { fields.value }
    open var type: INPersonHandleType { INPersonHandleType(rawValue: fields.type) ?? .unknown }
    open var label: INPersonHandleLabel? { fields.label.map { INPersonHandleLabel($0) } }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? INPersonHandle)?.fields == fields }

    open override var hash: Int { fields.hashValue }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let fields = coder.decodeFields(Fields.self) else { return nil }
        self.fields = fields
    }

    open func encode(with coder: NSCoder) { coder.encodeFields(fields) }
}
