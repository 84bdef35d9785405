import CarillonCore
import Foundation

/// The files of one attachment until iOS takes it: the download, and then the finished file.
///
/// They are in a folder of the SDK, which backups leave out, and which app and extension share. Their names begin with the
/// time, so that another process finds the files of one that has ended.
package struct AttachmentFiles: Sendable {
    private let folder: URL
    private let name: String

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

    /// Makes the folder.
    ///
    /// - Returns: whether it is there.
    func prepare() -> Bool {
        do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
            return false
        }
        return true
    }

    /// Gives the downloaded file its extension, by which iOS tells its type.
    func finish(pathExtension: String) throws -> URL {
        let file = folder.appendingPathComponent("\(name).\(pathExtension)")
        try FileManager.default.moveItem(at: part, to: file)
        return file
    }

    /// Removes what is left of this attachment.
    package func remove() { Self.remove(from: folder) { $0.hasPrefix(name + ".") } }

    /// Removes the files of attachments whose process has ended without removing them.
    ///
    /// - Parameters:
    ///   - directory: ``AppPlatform/directory``.
    ///   - now: the phone's time; files that are more than ``AppLimits/attachmentFileAge`` away from it are removed.
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
