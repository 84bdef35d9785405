import Foundation

/// Writes and reads the JSON of Carillon's own API: UTF-8, keys as declared, times in RFC 3339.
package enum CarillonJSON {
    /// Encodes a value.
    ///
    /// - Parameter value: a value that JSON can express.
    /// - Returns: compact JSON in UTF-8 with sorted keys, so that equal values give equal bytes.
    /// - Throws: `EncodingError`.
    package static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// Decodes a value; unknown members are ignored.
    ///
    /// - Parameters:
    ///   - type: the type to decode.
    ///   - data: JSON in UTF-8.
    /// - Returns: the value.
    /// - Throws: `DecodingError`.
    package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }
}
