import Foundation

extension FileManager {
    /// Foundation's `FileManager.default`, which UserNotifications replaces for apps.
    public static var system: FileManager { `default` }
}

extension Bundle {
    /// Foundation's `Bundle.main`: the bundle of the program that contains the phones.
    public static var system: Bundle { main }
}

/// The machine's folders, from Foundation's `NSTemporaryDirectory()` and `NSHomeDirectory()`.
public enum SystemPlaces {
    public static var temporaryDirectory: String { NSTemporaryDirectory() }
    public static var homeDirectory: String { NSHomeDirectory() }
}
