/// The visibility of a value in a log message.
/// [OSLogPrivacy](https://developer.apple.com/documentation/os/oslogprivacy)
public struct OSLogPrivacy: Sendable, Hashable {
    enum Access: Sendable, Hashable {
        case auto, everybody, nobody
    }

    let access: Access
    let mask: Mask

    public enum Mask: Sendable, Hashable {
        case hash
        case none
    }

    /// The default: numbers, Booleans and the names of types are shown, and strings and objects are hidden.
    public static var auto: OSLogPrivacy { OSLogPrivacy(access: .auto, mask: .none) }
    public static var `public`: OSLogPrivacy { OSLogPrivacy(access: .everybody, mask: .none) }
    public static var `private`: OSLogPrivacy { OSLogPrivacy(access: .nobody, mask: .none) }
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(access: .nobody, mask: .none) }

    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(access: .auto, mask: mask) }
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(access: .nobody, mask: mask) }
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(access: .nobody, mask: mask) }

    /// Returns the text that the log shows for a value: the value itself, its hash, or `<private>`.
    func shown(_ text: @autoclosure () -> String, isText: Bool) -> String {
        switch access {
        case .everybody: text()
        case .auto where !isText: text()
        // Equal values have equal masks within one run.
        case .auto, .nobody: mask == .hash ? "<mask.hash: \(text().hashValue)>" : "<private>"
        }
    }
}
