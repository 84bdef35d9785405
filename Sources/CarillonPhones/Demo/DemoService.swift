import CarillonCore
import CarillonServer
import CarillonSimulator
import CommandSupport
import Foundation
import ServiceSupport

/// The push service of the demo: its folder, its operating-system process, and the data that a backend needs to call it.
@MainActor
final class DemoService {
    let backend: DemoBackend
    let signInSecret: Data
    private let directory: ServiceDirectory
    private let apnsArguments: [String]
    private let log: URL
    private var process: ServiceProcess

    /// Creates the folder and an API key for the demo's backend, and starts the service on a free port.
    init(in folder: URL, apns simulator: APNsSimulator, sabotage: Sabotage?) async throws {
        directory = try ServiceDirectory(path: folder.appendingPathComponent("service").path)
        log = folder.appendingPathComponent("service.log")
        signInSecret = try directory.signInSecret()
        let files = SimulatorDirectory(path: folder.appendingPathComponent("apns").path)
        try files.write(simulator, seed: 0)
        if sabotage == .keyCorrupted { try files.replaceKey(of: simulator) }
        apnsArguments = [
            "--topic", DemoEnvironment.topic, "--apns-url", "https://localhost:\(simulator.port)", "--apns-ca",
            files.caPath,
            "--key", files.keyPath(keyID: simulator.keyID), "--team-id", simulator.teamID,
            "--registrations-per-address", "0", "--registrations-per-app", "0",
            "--calls-per-installation", "0",
        ]
        let keys = APIKeys(in: try directory.openStore().keys, clock: SystemClock(), random: .system)
        let key = try await keys.make(name: "demo", scopes: [.send, .read], apps: []).key
        process = try await ServiceProcess.start(
            ["--data", directory.url.path, "--port", "0"] + apnsArguments, log: log)
        backend = DemoBackend(service: process.url, apiKey: key)
    }

    func openStore() throws -> Store { try directory.openStore() }

    /// Makes a sign-in token for the user, as the customer's backend does.
    func signInToken(for user: String, now: Timestamp) throws -> String {
        try SignInToken.make(
            user: user, topic: DemoEnvironment.topic, issued: now, expires: now + .seconds(300), secret: signInSecret)
    }

    func kill() async { await process.kill() }

    func stop() async { await process.stop() }

    /// Stops the service if it is running, and starts it again at the same address.
    ///
    /// - Parameter sending: whether the service also sends the messages that it accepts.
    /// - Throws: ``DemoFailure`` if the service does not start.
    func restart(sending: Bool) async throws {
        await process.stop()
        let port = String(backend.service.port ?? 0)
        let roles = sending ? ["--role", "api", "--role", "sender"] : ["--role", "api"]
        process = try await ServiceProcess.start(
            ["--data", directory.url.path, "--port", port] + roles + apnsArguments, log: log)
    }
}
