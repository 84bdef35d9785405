/// The arrows of docs/architecture.md: which of our own modules each target may import.
enum ImportTable {
    static let own: Set<String> = [
        "CarillonCore", "CarillonAPNs", "CarillonSimulator", "CarillonServer", "CarillonDevice", "CarillonApp", "Chime",
        "UserNotifications", "UIKit", "SafariServices", "_SystemFoundation", "UserNotificationsUI",
    ]

    static let allowed: [(folder: String, modules: Set<String>)] = [
        ("Sources/CarillonCore", []),
        ("Sources/CarillonAPNs", ["CarillonCore"]),
        ("Sources/CarillonSimulator", ["CarillonCore"]),
        ("Sources/CarillonServer", ["CarillonCore", "CarillonAPNs"]),
        ("Sources/AppleFrameworks/UserNotifications", ["_SystemFoundation"]),
        ("Sources/AppleFrameworks/UIKit", ["UserNotifications"]),
        ("Sources/AppleFrameworks/UserNotificationsUI", ["UIKit", "UserNotifications"]),
        ("Sources/AppleFrameworks/SafariServices", ["UIKit", "UserNotifications"]),
        (
            "Sources/CarillonDevice",
            ["CarillonCore", "UIKit", "UserNotifications", "SafariServices", "UserNotificationsUI"]
        ),
        ("Sources/CarillonApp", ["CarillonCore", "UIKit", "UserNotifications"]),
        ("Examples/Chime", ["CarillonApp", "UIKit", "UserNotifications", "SafariServices"]),
    ]

    /// The module of ours that a line imports, if it is an import of one.
    static func ownModule(importedBy line: String) -> String? {
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard let index = words.firstIndex(of: "import"), words.prefix(index).allSatisfy(isImportPrefix) else {
            return nil
        }
        let path = words.dropFirst(index + 1).last.map(String.init) ?? ""
        let module = String(path.prefix { $0 != "." })
        return own.contains(module) ? module : nil
    }

    private static func isImportPrefix(_ word: Substring) -> Bool {
        word.hasPrefix("@") || ["public", "package", "internal", "private", "fileprivate"].contains(word)
    }
}
