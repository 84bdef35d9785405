import CarillonCore
import Foundation

/// The service extension's store while it processes one notification.
///
/// It reads the app's files, and the files that the extension has written for earlier notifications. It writes only new files.
/// The app later merges the extension's files into its store and removes them (``AppStore/takeOver()``).
package final class ExtensionStore: Sendable {
    private let files: any StoreFiles
    private let process: ExtensionProcess
    /// The store contents to use if none of the app's files can be read.
    private let fresh: StoreContents
    /// The prefix of the names of this notification's files.
    ///
    /// The names sort by time, and no other notification uses this prefix.
    private let namePrefix: String
    private let fileCount = Guarded(0)
    private let report: @Sendable (CarillonEvent) -> Void

    /// Makes the store for the work on one notification; it reads no file until ``contents`` or ``identity`` is needed.
    ///
    /// - Parameters:
    ///   - files: the installation's files.
    ///   - process: keeps the store contents in memory from one notification to the next.
    ///   - now: the phone's time, with which the names of new files begin.
    ///   - randomness: the source of the random part of these names.
    ///   - report: receives events about unusable files.
    package init(
        files: any StoreFiles, process: ExtensionProcess, now: Timestamp,
        randomness: any RandomNumberGenerator & Sendable, report: @escaping @Sendable (CarillonEvent) -> Void
    ) {
        var random = randomness
        fresh = StoreContents(using: &random)
        let mark = InstallationIdentity.hexadecimal(byteCount: 8, using: &random)
        namePrefix = "\(now.millisecondsSince1970)-\(mark)"
        self.files = files
        self.process = process
        self.report = report
        files.prepare()
    }

    /// The store's current contents, including the changes by the app and by the extension's runs for other notifications.
    package var contents: StoreContents { process.read(files, fresh: fresh, report: report) }

    /// The installation's identity; `nil` if its file cannot be read, or if the app has never run.
    package var identity: InstallationIdentity? {
        let data = try? files.read(StoreFileName.identity, in: .app, from: 0)
        return data.flatMap { try? CarillonJSON.decode(InstallationIdentity.self, from: $0) }
    }

    /// Changes the store's contents, and writes the change to a file for the app.
    @discardableResult
    package func update<Value: Sendable>(_ change: (inout StoreContents) -> Value) -> Value {
        let number = fileCount.withLock { count in
            count += 1
            return count
        }
        let name = "\(namePrefix)-\(number)\(StoreFileName.extensionEnding)"
        return process.update(files, fresh: fresh, file: name, report: report, change)
    }
}

/// The contents of one phone's store, kept in memory from one notification to the next.
///
/// iOS may let one operating-system process handle many notifications, each with its own extension object. The first notification
/// reads all files of the store; each later notification reads only the data written since.
package final class ExtensionProcess: Sendable {
    /// A table of all ``ExtensionProcess`` objects in memory, by the folder of the store to which each of them belongs.
    private final class OfStores: Sendable {
        private let all = Guarded<[URL: ExtensionProcess]>([:])

        func process(for folder: URL) -> ExtensionProcess {
            all.withLock { all in
                if let known = all[folder] { return known }
                if all.count >= AppLimits.storesPerExtensionProcess { all = [:] }
                let process = ExtensionProcess()
                all[folder] = process
                return process
            }
        }
    }

    private static let ofThisProcess = OfStores()

    private let memory = Guarded(ExtensionMemory())
    /// The queue of HTTP requests that send the receipts of all notifications of this phone to the service.
    package let receiptRequests = ReceiptRequests()
    /// The requests of this phone's widget extension.
    package let widgetRequests = RequestOrder()

    package init() {}

    /// Returns the ``ExtensionProcess`` of a phone, and makes it at the first call for that phone.
    ///
    /// On iOS there is only one. On Linux, the extensions of several simulated phones run in one operating-system process,
    /// which has one ``ExtensionProcess`` for each phone.
    ///
    /// - Parameter platform: the phone on which the extension runs: an iPhone, or one of the simulated phones.
    /// - Returns: the phone's object. If ``AppLimits/storesPerExtensionProcess`` other phones already have an object, the
    ///   function forgets those objects before it makes a new one.
    package static func current(on platform: AppPlatform) -> ExtensionProcess {
        platform.shared(ofThisProcess, OfStores.init).process(for: platform.directory)
    }

    /// Returns the store's current contents; reads from its files only what was written since the last call.
    ///
    /// - Parameters:
    ///   - files: the store's files.
    ///   - fresh: the store contents to use if no file can be read.
    ///   - report: receives events about unusable files.
    /// - Returns: the store's current contents.
    func read(_ files: any StoreFiles, fresh: StoreContents, report: (CarillonEvent) -> Void) -> StoreContents {
        let (contents, events) = memory.withLock { memory in
            (memory.read(files, fresh: fresh), memory.takeEvents())
        }
        for event in events { report(event) }
        return contents
    }

    /// Changes the store's contents, and writes the change to a file for the app.
    ///
    /// First reads from the store's files what was written since the last call.
    ///
    /// - Parameters:
    ///   - files: the store's files.
    ///   - fresh: the store contents to use if no file can be read.
    ///   - name: the name of the new file.
    ///   - report: receives events about unusable files.
    ///   - change: changes the store's contents.
    /// - Returns: the result of `change`.
    func update<Value: Sendable>(
        _ files: any StoreFiles, fresh: StoreContents, file name: String, report: (CarillonEvent) -> Void,
        _ change: (inout StoreContents) -> Value
    ) -> Value {
        let (value, events) = memory.withLock { memory in
            (memory.update(files, fresh: fresh, file: name, change), memory.takeEvents())
        }
        for event in events { report(event) }
        return value
    }
}
