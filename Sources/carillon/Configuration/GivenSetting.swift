import Foundation

/// The values that an operator has given to a setting of `carillon serve`, with their source.
///
/// The source is the command line, an environment variable or the configuration file.
struct GivenSetting: Sendable, Hashable {
    /// The source of a setting's values.
    ///
    /// The command line takes precedence over environment variables, and these take precedence over the configuration
    /// file.
    enum Place: Sendable, Hashable, CustomStringConvertible {
        case commandLine
        case environment(variable: String)
        case file(path: String, line: Int)

        /// The precedence of the source; a smaller number takes precedence.
        var rank: Int {
            switch self {
            case .commandLine: 0
            case .environment: 1
            case .file: 2
            }
        }

        var description: String {
            switch self {
            case .commandLine: "the command line"
            case .environment(let variable): "the environment variable \(variable)"
            case .file(let path, let line): "\(path):\(line)"
            }
        }
    }

    let name: String
    let values: [String]
    let place: Place

    /// The values as a text for people; `…` stands in place of a password in a URL.
    var shown: String {
        let values = values.map { value in
            guard var address = URLComponents(string: value), address.password != nil else { return value }
            address.password = "…"
            return (address.string ?? name).replacing("%E2%80%A6", with: "…")
        }
        return values.joined(separator: ", ")
    }

    /// For each setting, the names of the settings that it makes ineffective if they come from a source of lower precedence.
    ///
    /// With `--data` on the command line, for example, a `database` in the configuration file has no effect.
    static let replaced: [String: Set<String>] = [
        "data": ["database", "database-file", "sign-in-secret", "listen"],
        "database": ["data", "database-file"],
        "database-file": ["data", "database"],
        "apns": ["apns-url", "apns-ca"],
        "apns-url": ["apns"],
        "key": ["key-id"],
    ]

    /// Returns the settings that take effect.
    ///
    /// A setting has no effect if a source of higher precedence gives this setting too, or gives another setting that replaces
    /// it (``replaced``).
    static func winners(of given: [GivenSetting]) -> [GivenSetting] {
        given.filter { one in
            !given.contains { other in
                other.place.rank < one.place.rank
                    && (other.name == one.name || replaced[other.name]?.contains(one.name) == true)
            }
        }
    }
}
