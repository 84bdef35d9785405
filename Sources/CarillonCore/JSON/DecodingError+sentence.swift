extension DecodingError {
    /// The key that a type cannot decode, and the reason, as a sentence for the app's developer.
    package var sentence: String {
        func path(_ context: Context, _ key: (any CodingKey)? = nil) -> String {
            let keys = context.codingPath + (key.map { [$0] } ?? [])
            return keys.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        }
        switch self {
        case .keyNotFound(let key, let context): return "the key \(path(context, key)) is missing"
        case .valueNotFound(let type, let context): return "\(path(context)) is null, and must be \(type)"
        case .typeMismatch(let type, let context): return "\(path(context)) must be \(type)"
        case .dataCorrupted(let context):
            let place = path(context)
            return (place.isEmpty ? "" : "\(place): ") + context.debugDescription
        @unknown default: return "\(self)"
        }
    }
}
