/// The settings that differ between a running service and its changed configuration file.
struct SettingsChange: Sendable, Hashable {
    /// The changed settings that hold at once.
    let adjusted: [String]
    /// The changed settings that hold after a restart only.
    let needsRestart: [String]

    /// The settings that can change while the service runs.
    static let adjustable: Set = [
        "backlog", "calls-per-installation", "calls-per-key", "connections", "connections-per-address",
        "registrations-per-address", "registrations-per-app", "trusted-proxy",
    ]

    /// Compares settings.
    ///
    /// - Parameters:
    ///   - former: the settings of the running service.
    ///   - now: the settings as they are now.
    init(from former: [GivenSetting], to now: [GivenSetting]) {
        let (old, new) = (Self.values(former), Self.values(now))
        let changed = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
        adjusted = changed.filter(Self.adjustable.contains)
        needsRestart = changed.filter { !Self.adjustable.contains($0) }
    }

    private static func values(_ given: [GivenSetting]) -> [String: [String]] {
        Dictionary(given.map { ($0.name, $0.values) }, uniquingKeysWith: +)
    }
}
