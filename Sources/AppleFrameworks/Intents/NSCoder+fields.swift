import Foundation

/// Archives the fields of this module's classes: each class keeps its fields in one value, which is archived as a whole.
extension NSCoder {
    func encodeFields(_ fields: some Encodable) {
        if let data = try? JSONEncoder().encode(fields) { encode(NSData(data: data), forKey: "fields") }
    }

    func decodeFields<Fields: Decodable>(_ type: Fields.Type) -> Fields? {
        guard let data = decodeObject(of: NSData.self, forKey: "fields") else { return nil }
        return try? JSONDecoder().decode(type, from: Data(referencing: data))
    }
}
