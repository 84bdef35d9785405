import Foundation

/// What content extensions call around reading an attachment's file, which Foundation has on Apple's platforms only.
extension URL {
    /// - Returns: `true` for a file that can be read.
    ///
    /// Differs from iOS: a file of a delivered notification can be read without it.
    public func startAccessingSecurityScopedResource() -> Bool {
        isFileURL && FileManager.default.isReadableFile(atPath: path)
    }

    public func stopAccessingSecurityScopedResource() {}
}
