import Foundation

/// `carillon apns-simulator` as a separate program, with the files that it writes for senders.
struct SimulatorProgram {
    static var path: String? { ProcessInfo.processInfo.environment["CARILLON"] }

    let adminURL: URL
    private let settings: Settings
    private let process: Process
    private let folder: URL

    /// The contents of `simulator.json`.
    private struct Settings: Decodable {
        var port: Int
        var key_id, team_id, topic, ca, key: String
        var admin_url: URL
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func start(topic: String) async throws -> SimulatorProgram {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)")
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: path ?? "carillon")
        process.arguments = [
            "apns-simulator", "--port", "0", "--directory", folder.path, "--topic", topic, "--devices", "0",
        ]
        process.standardOutput = output
        try process.run()
        // It prints one line when it is ready.
        guard let line = try await output.fileHandleForReading.bytes(upTo: "\n"), line.contains("is ready") else {
            throw Failure(description: "The simulator did not start; see what it said above.")
        }
        let settings = try JSONDecoder().decode(
            Settings.self, from: Data(contentsOf: folder.appending(path: "simulator.json")))
        return SimulatorProgram(adminURL: settings.admin_url, settings: settings, process: process, folder: folder)
    }

    /// Sends a payload with `carillon push`.
    ///
    /// - Returns: the program's output: the status and, after a refusal, the reason.
    func push(_ payload: String, to token: Data, collapseID: String? = nil) async throws -> String {
        let file = folder.appending(path: "payload.json")
        try Data(payload.utf8).write(to: file)
        let (process, output) = (Process(), Pipe())
        process.executableURL = self.process.executableURL
        process.arguments =
            [
                "push", "--token", token.map { String(format: "%02x", $0) }.joined(), "--payload", file.path,
                "--key", settings.key, "--key-id", settings.key_id, "--team-id", settings.team_id,
                "--topic", settings.topic, "--url", "https://localhost:\(settings.port)", "--ca", settings.ca,
            ] + (collapseID.map { ["--collapse-id", $0] } ?? [])
        process.standardOutput = output
        try process.run()
        return try await output.fileHandleForReading.bytes(upTo: nil) ?? ""
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}

extension FileHandle {
    /// Reads until `end`, or until the other side closes; `nil` if nothing arrives.
    fileprivate func bytes(upTo end: Character?) async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                var text = Data()
                do {
                    while let byte = try self.read(upToCount: 1), !byte.isEmpty {
                        if let end, byte == Data(String(end).utf8) { break }
                        text += byte
                    }
                    continuation.resume(returning: text.isEmpty ? nil : String(decoding: text, as: UTF8.self))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }
}
