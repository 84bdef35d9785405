import CarillonCore
import Foundation

/// The files of one attachment until iOS takes it: the partial download, and then the finished file.
///
/// The files are in a folder that app and extension share, and that backups leave out. Their names begin with the time. So
/// another process can recognise files that a process has left behind.
package struct AttachmentFiles: Sendable {
    private let folder: URL
    private let name: String

    /// Chooses the names of the files of one attachment, without creating any file.
    ///
    /// - Parameters:
    ///   - directory: ``AppPlatform/directory``.
    ///   - now: the phone's time.
    ///   - random: makes the name unique, because the network may deliver a push twice.
    package init(in directory: URL, at now: Timestamp, _ random: SharedRandomSource) {
        folder = Self.folder(in: directory)
        let mark = random.draw { InstallationIdentity.hexadecimal(byteCount: 8, using: &$0) }
        name = "\(now.millisecondsSince1970)-\(mark)"
    }

    /// The file to which the attachment is downloaded.
    var part: URL { folder.appendingPathComponent(name + ".part") }

    /// Creates the folder if it does not exist.
    ///
    /// - Returns: whether the folder exists afterwards.
    func prepare() -> Bool {
        do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
            return false
        }
        return true
    }

    /// Renames the downloaded file so that its extension tells iOS its type, and returns the new file.
    func finish(pathExtension: String) throws -> URL {
        let file = folder.appendingPathComponent("\(name).\(pathExtension)")
        try FileManager.default.moveItem(at: part, to: file)
        return file
    }

    /// Removes the remaining files of this attachment.
    package func remove() { Self.remove(from: folder) { $0.hasPrefix(name + ".") } }

    /// Removes old attachment files that another process has left behind.
    ///
    /// - Parameters:
    ///   - directory: ``AppPlatform/directory``.
    ///   - now: the phone's time. A file is removed if the time in its name differs from the phone's time by more than
    ///     ``AppLimits/attachmentFileAge``.
    @concurrent nonisolated package static func removeForgotten(in directory: URL, at now: Timestamp) async {
        let age = AppLimits.attachmentFileAge
        remove(from: folder(in: directory)) { name in
            guard let milliseconds = name.split(separator: "-").first.flatMap({ Int64($0) }) else { return true }
            let moment = Timestamp(millisecondsSince1970: milliseconds)
            return moment < now - age || moment > now + age
        }
    }

    private static func folder(in directory: URL) -> URL {
        directory.appendingPathComponent("Carillon/attachments", isDirectory: true)
    }

    private static func remove(from folder: URL, where isLeaving: (String) -> Bool) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where isLeaving(name) {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }
}
