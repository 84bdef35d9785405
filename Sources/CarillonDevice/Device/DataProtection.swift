import CarillonCore
import Foundation

/// The state of the phone's file protection: whether files with complete protection can be read.
///
/// After a phone with a passcode is locked, these files become unreadable with a delay of 10 s ([Platform Security
/// Guide](https://support.apple.com/guide/security/data-protection-classes-secb010e978a)).
///
/// The methods record changes of the phone and return the actions to take. Apple's
/// [page](https://developer.apple.com/documentation/uikit/encrypting-your-app-s-files) describes the behaviour.
struct DataProtection: Sendable, Hashable {
    private enum State: Sendable, Hashable {
        case open
        /// The phone was locked a moment ago, and protected files can still be read, because their keys are still in memory.
        case closing
        case closed
    }

    private var state = State.open
    /// Whether the phone has a passcode; without a passcode all files stay readable.
    var hasPasscode: Bool

    init(hasPasscode: Bool) { self.hasPasscode = hasPasscode }

    var isAvailable: Bool { state != .closed }

    /// Records that the phone was locked.
    ///
    /// - Returns: `true` if protected files will become unreadable. The caller must then tell the apps now, and call
    ///   ``delayIsOver()`` after ``PhoneRules/protectedDataSeconds``.
    mutating func locked() -> Bool {
        guard hasPasscode, state == .open else { return false }
        state = .closing
        return true
    }

    mutating func delayIsOver() { if state == .closing { state = .closed } }

    /// Makes the files of a phone with a passcode unreadable, because the phone has no keys until its first unlock.
    mutating func switchedOff() { state = hasPasscode ? .closed : .open }

    /// Records that the phone was unlocked.
    ///
    /// - Returns: whether the phone must tell its apps that protected files are readable again.
    mutating func unlocked() -> Bool {
        defer { state = .open }
        return state != .open
    }
}

/// The methods that make protected files unreadable on a locked phone, and readable again after the unlock.
///
/// See ``PhoneRule/lockClosesProtectedFiles``.
extension DeviceState {
    var isProtectedDataAvailable: Bool {
        protection.isAvailable || !kernel.rules.keeps(.lockClosesProtectedFiles)
    }

    /// Whether apps cannot read any files: from a restart of a phone with a passcode to its first unlock.
    ///
    /// Apple's
    /// [page](https://developer.apple.com/documentation/foundation/fileprotectiontype/completeuntilfirstuserauthentication)
    /// describes this protection, which all files have by default.
    var closesAllFiles: Bool {
        !hasBeenUnlocked && protection.hasPasscode && kernel.rules.keeps(.lockClosesProtectedFiles)
    }

    /// Starts the timer that makes protected files unreadable 10 seconds after the phone was locked.
    ///
    /// - Returns: whether the phone must tell its apps that protected files will become unreadable.
    func closeProtectedFiles() -> Bool {
        guard protection.locked() else { return false }
        protectionTimer = kernel.schedule(afterSeconds: kernel.rules.protectedDataSeconds) { [weak self] in
            self?.protection.delayIsOver()
            self?.kernel.changed(.screen)
        }
        return true
    }

    /// Makes protected files readable after the phone was unlocked.
    ///
    /// - Returns: whether the phone must tell its apps that protected files are readable again.
    func openProtectedFiles() -> Bool {
        stopProtectionTimer()
        return protection.unlocked()
    }

    func stopProtectionTimer() {
        protectionTimer?.cancel()
        protectionTimer = nil
    }
}

/// The methods that make an app's files unreadable, as before a phone's first unlock, and readable again.
///
/// An unreadable file exists, but cannot be read or replaced: it is moved aside, and a folder takes its place. Differs from iOS:
/// an app can make new files meanwhile, and no file is exempt (`NSFileProtectionNone`).
enum ClosedFiles {
    private static let prefix = ".closed-"

    /// Makes every file below a folder unreadable.
    static func close(_ folder: URL) {
        for file in files(below: folder) where !file.lastPathComponent.hasPrefix(prefix) {
            let aside = aside(file)
            guard (try? FileManager.default.moveItem(at: file, to: aside)) != nil else { continue }
            try? FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        }
    }

    /// Makes the files below a folder readable again.
    static func open(_ folder: URL) {
        for aside in files(below: folder) where aside.lastPathComponent.hasPrefix(prefix) {
            let name = String(aside.lastPathComponent.dropFirst(prefix.count))
            let file = aside.deletingLastPathComponent().appending(path: name)
            try? FileManager.default.removeItem(at: file)
            try? FileManager.default.moveItem(at: aside, to: file)
        }
    }

    private static func aside(_ file: URL) -> URL {
        file.deletingLastPathComponent().appending(path: prefix + file.lastPathComponent)
    }

    private static func files(below folder: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        return (all?.allObjects ?? []).compactMap { $0 as? URL }.filter { url in
            (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
        }
    }
}
