import Foundation

/// Methods that write values to an archive, and read values from an archive or from a test's own subclass of `NSCoder`.
///
/// With its own subclass, a test can make instances of Apple's classes that have no initializer. The subclass often implements
/// only `decodeObject(forKey:)`, so these methods read all values from it with that method.
extension NSCoder {
    func encodeText(_ text: String?, _ key: String) {
        if let text { encode(NSString(string: text), forKey: key) }
    }

    func decodeText(_ key: String) -> String? {
        guard self is NSKeyedUnarchiver else { return decodeObject(forKey: key).flatMap(Self.text) }
        guard containsValue(forKey: key) else { return nil }
        return decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
    }

    func decodeValue<Value: NSObject & NSCoding>(_ type: Value.Type, _ key: String) -> Value? {
        guard self is NSKeyedUnarchiver else { return decodeObject(forKey: key) as? Value }
        return decodeObject(of: type, forKey: key)
    }

    func decodeDate(_ key: String) -> Date? {
        guard self is NSKeyedUnarchiver else { return decodeObject(forKey: key) as? Date }
        let date = decodeObject(of: NSDate.self, forKey: key)
        return date.map { Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate) }
    }

    private static func text(_ object: Any) -> String? {
        object as? String ?? (object as? NSString).map { String(describing: $0) }
    }
}
