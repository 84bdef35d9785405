import Foundation

extension NSCoder {
    func encodeText(_ text: String?, _ key: String) {
        if let text { encode(NSString(string: text), forKey: key) }
    }

    func decodeText(_ key: String) -> String? {
        guard containsValue(forKey: key) else { return nil }
        return decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
    }
}
