import Foundation

/// Writes a message in the older form, with C's formats.
///
/// - Parameters:
///   - message: the format. `%{public}@` shows its value, `%{private}@` and `%@` hide theirs, and `%d` shows a number.
///   - log: the default is the app's own log.
///   - type: the default is `default`.
///   - arguments: the values.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
    _ arguments: Any...
) { log.write(type, OldLogFormat.text(message.description, arguments)) }

/// Writes a message in the older form, with the type as the first argument.
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
    _ arguments: Any...
) { log.write(type, OldLogFormat.text(message.description, arguments)) }

/// Fills values into the C-style formats of `os_log`.
enum OldLogFormat {
    static func text(_ format: String, _ arguments: [Any]) -> String {
        var (rest, values, text) = (format[...], arguments[...], "")
        while let percent = rest.firstIndex(of: "%") {
            text += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            guard rest.first != "%" else {
                text += "%"
                rest.removeFirst()
                continue
            }
            var privacy = OSLogPrivacy.auto
            if rest.first == "{", let end = rest.firstIndex(of: "}") {
                let words = rest[rest.index(after: rest.startIndex)..<end].split(separator: ",")
                if words.contains("public") { privacy = .public }
                if words.contains("private") || words.contains("sensitive") { privacy = .private }
                rest = rest[rest.index(after: end)...]
            }
            guard let end = rest.firstIndex(where: { $0.isLetter && !"hlqLzjt".contains($0) || $0 == "@" }) else {
                // An incomplete format is kept unchanged.
                return text + "%" + rest
            }
            let isText = "@sS".contains(rest[end])
            let value = values.popFirst().map { "\($0)" } ?? "<missing>"
            text += privacy.shown(value, isText: isText)
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }
}
