import CarillonCore
import Foundation
import Synchronization
import TestSupport

/// Faults around one running program: of its wall clock and its disk.
///
/// A small library is loaded into the program before anything else; it reads two numbers from a file.
final class ProcessFaults: Sendable {
    private let file: URL
    private let library: URL
    private let state = Mutex((offset: Duration.zero, isDiskFull: false))

    /// - Parameters:
    ///   - library: what ``buildLibrary(in:)`` has built.
    ///   - file: where the two numbers stand; of this program alone.
    init(library: URL, file: URL) throws {
        self.file = file
        self.library = library
        try Data(count: 16).write(to: file)
    }

    /// Builds the library that is loaded into programs.
    ///
    /// - Parameter folder: where it is put.
    /// - Returns: its file.
    static func buildLibrary(in folder: URL) async throws -> URL {
        let library = folder.appending(path: "process-faults.so")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../scripts/simulate/build.sh").standardized
        let build = try await CarillonProgram.runTool(script.path, library.path)
        guard build.status == 0 else { throw MissingProgram(path: "\(library.path): \(build.transcript)") }
        return library
    }

    /// The variables with which the program is started.
    var environment: [String: String] { ["LD_PRELOAD": library.path, "PROCESS_FAULTS_FILE": file.path] }

    /// The lead of the program's wall clock over the others'.
    var clockOffset: Duration {
        get { state.withLock { $0.offset } }
        set { change { $0.offset = newValue } }
    }

    /// Whether the program can write nothing to files.
    var isDiskFull: Bool {
        get { state.withLock { $0.isDiskFull } }
        set { change { $0.isDiskFull = newValue } }
    }

    private func change(_ body: (inout (offset: Duration, isDiskFull: Bool)) -> Void) {
        state.withLock { state in
            body(&state)
            let (seconds, attoseconds) = state.offset.components
            let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
            let numbers = [nanoseconds, state.isDiskFull ? 1 : 0]
            let bytes = numbers.withUnsafeBytes { Data($0) }
            guard let handle = try? FileHandle(forWritingTo: file) else { return }
            // In place: the program sees the same file.
            handle.write(bytes)
            try? handle.close()
        }
    }
}
