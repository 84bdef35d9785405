import Foundation

/// An app's Info.plist, as it is in the built app.
enum BundleInfo {
    /// Returns the complete Info.plist of an app: Xcode's build settings are filled in and missing keys added.
    ///
    /// - Parameters:
    ///   - info: the Info.plist among the app's sources; empty for an app without one.
    ///   - app: the app's bundle; its bundle ID replaces the one in `info`.
    /// - Returns: the app's `infoDictionary`.
    static func completed(_ info: [String: Any], for app: AppBundle) -> [String: Any] {
        let values = [
            "PRODUCT_BUNDLE_IDENTIFIER": app.bundleID, "PRODUCT_NAME": app.name, "EXECUTABLE_NAME": app.name,
            "TARGET_NAME": app.name, "MARKETING_VERSION": "1.0", "CURRENT_PROJECT_VERSION": "1",
            "DEVELOPMENT_LANGUAGE": "en", "PRODUCT_BUNDLE_PACKAGE_TYPE": "APPL",
        ]
        let usual: [String: Any] = [
            "CFBundleName": app.name, "CFBundleDisplayName": app.name, "CFBundleShortVersionString": "1.0",
            "CFBundleVersion": "1", "CFBundleDevelopmentRegion": "en",
            "UIBackgroundModes": app.backgroundModes.map(\.rawValue).sorted(),
        ]
        let read = info.mapValues { fill($0, values) }
        return usual.merging(read) { $1 }.merging(["CFBundleIdentifier": app.bundleID]) { $1 }
    }

    private static func fill(_ value: Any, _ values: [String: String]) -> Any {
        switch value {
        case let text as String:
            values.reduce(text) { text, value in
                text.replacing("$(\(value.key))", with: value.value).replacing("${\(value.key)}", with: value.value)
            }
        case let list as [Any]: list.map { fill($0, values) }
        case let members as [String: Any]: members.mapValues { fill($0, values) }
        default: value
        }
    }
}
