import Foundation

/// The methods that content extensions call around reading an attachment's file.
///
/// Foundation has them on Apple's platforms only.
extension URL {
    /// Asks for access to the file.
    ///
    /// - Returns: `true` if the file can be read.
    ///
    /// Differs from iOS: a file of a delivered notification can be read without this call.
    public func startAccessingSecurityScopedResource() -> Bool {
        isFileURL && FileManager.default.isReadableFile(atPath: path)
    }

    public func stopAccessingSecurityScopedResource() {}
}
