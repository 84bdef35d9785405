/// The sound of a notification: a file in the app (or `default`), or a dictionary for a critical alert.
public enum Sound: Sendable, Hashable {
    /// `"sound": "default"`.
    case named(String)
    /// `"sound": {"critical": 1, "name": "default", "volume": 0.5}`; needs the critical-alerts entitlement.
    ///
    /// - Parameters:
    ///   - name: a file in the app's bundle or in its `Library/Sounds`, or `default`.
    ///   - volume: 0 (silent) to 1 (full).
    case critical(name: String, volume: Double)

    /// The sound of the system.
    public static let `default` = Sound.named("default")

    /// A file in the app's bundle or in its `Library/Sounds`, or `default`.
    public var name: String {
        switch self {
        case .named(let name), .critical(let name, _): name
        }
    }

    init(json: JSONValue) throws(PayloadError) {
        if let name = json.stringValue {
            self = .named(name)
            return
        }
        guard case .object = json else {
            throw PayloadError(key: "", problem: "must be a string or a dictionary, not \(json.kind)")
        }
        var reader = try KeyReader(json)
        let name = try reader.takeString("name") ?? "default"
        let volume = try reader.takeNumber("volume", in: 0...1) ?? 1
        self = try reader.takeFlag("critical") ? .critical(name: name, volume: volume) : .named(name)
    }

    var json: JSONValue {
        switch self {
        case .named(let name): .string(name)
        case .critical(let name, let volume):
            .object(["critical": 1, "name": .string(name), "volume": .double(volume)])
        }
    }
}
