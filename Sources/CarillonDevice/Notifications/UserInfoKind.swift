import Foundation

/// The degree to which a local notification's `userInfo` is acceptable to iOS.
///
/// The worst key or value in the dictionary decides. iOS accepts only a property list, and ends the app if Swift does not bridge
/// a value to Objective-C.
enum UserInfoKind: Equatable {
    /// The `userInfo` is a property list, which iOS accepts.
    case propertyList
    /// The `userInfo` contains null, or another object that can be archived but does not belong in a property list.
    ///
    /// Apple documents property lists only: see
    /// [userInfo](https://developer.apple.com/documentation/usernotifications/unmutablenotificationcontent/userinfo).
    case archivable
    /// The `userInfo` contains a value of the named type, which Swift does not bridge to Objective-C; iOS ends the app.
    case foreign(String)

    init(_ object: Any) {
        switch object {
        case is String, is NSString, is Bool, is NSNumber, is Date, is NSDate, is Data, is NSData, is Decimal,
            is any BinaryInteger, is any BinaryFloatingPoint:
            self = .propertyList
        case let members as NSDictionary: self.init(members.map { (key: $0.key, value: $0.value) })
        case let members as [AnyHashable: Any]: self.init(members.map { (key: $0.key.base, value: $0.value) })
        case let elements as NSArray: self = Self.worst(of: elements.map { Self($0) })
        case let elements as [Any]: self = Self.worst(of: elements.map { Self($0) })
        case is NSNull, is URL, is UUID, is Locale, is TimeZone, is Calendar, is DateComponents, is IndexPath,
            is IndexSet, is any NSSecureCoding:
            self = .archivable
        default: self.init(unknown: object)
        }
    }

    private init(_ members: [(key: Any, value: Any)]) {
        let keys = members.map { Self($0.key) == .propertyList && !($0.key is String) ? .archivable : Self($0.key) }
        self = Self.worst(of: keys + members.map { Self($0.value) })
    }

    private init(unknown object: Any) {
        let mirror = Mirror(reflecting: object)
        guard mirror.displayStyle == .optional else {
            self = .foreign("\(type(of: object))")
            return
        }
        self = mirror.children.first.map { Self($0.value) } ?? .archivable
    }

    private static func worst(of kinds: [Self]) -> Self {
        if let foreign = kinds.first(where: { if case .foreign = $0 { true } else { false } }) { return foreign }
        return kinds.contains(.archivable) ? .archivable : .propertyList
    }
}
