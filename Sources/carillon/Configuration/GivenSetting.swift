/// Values that an operator has given to a setting, and the place where they stand.
struct GivenSetting: Sendable, Hashable {
    /// The place where a setting stands, which decides its precedence: the command line before the environment before the file.
    enum Place: Sendable, Hashable, CustomStringConvertible {
        case commandLine
        case environment(variable: String)
        case file(path: String, line: Int)

        /// The precedence; a smaller number wins.
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

    /// The settings that one setting replaces, where a place of lower precedence gives them.
    ///
    /// With `--data` on the command line, for example, a `database` in the configuration file does not count.
    static let replaced: [String: Set<String>] = [
        "data": ["database", "database-file", "sign-in-secret", "listen"],
        "database": ["data", "database-file"],
        "database-file": ["data", "database"],
        "apns": ["apns-url", "apns-ca"],
        "apns-url": ["apns"],
        "key": ["key-id"],
    ]

    /// Returns the settings that count: of each setting the one with the highest precedence, without those that another
    /// setting replaces.
    static func winners(of given: [GivenSetting]) -> [GivenSetting] {
        given.filter { one in
            !given.contains { other in
                other.place.rank < one.place.rank
                    && (other.name == one.name || replaced[other.name]?.contains(one.name) == true)
            }
        }
    }
}
