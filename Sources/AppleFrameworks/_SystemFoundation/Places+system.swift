import Foundation

extension FileManager {
    /// Foundation's `FileManager.default`.
    public static var system: FileManager { `default` }
}

extension Bundle {
    /// Foundation's `Bundle.main`: that of the program in which the phones are.
    public static var system: Bundle { main }
}

/// Foundation's `NSTemporaryDirectory()` and `NSHomeDirectory()`.
public enum SystemPlaces {
    public static var temporaryDirectory: String { NSTemporaryDirectory() }
    public static var homeDirectory: String { NSHomeDirectory() }
}
