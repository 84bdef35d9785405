import CarillonCore
import CarillonServer
import CarillonSimulator
import Foundation
import TestSupport

@testable import CommandSupport
@testable import ServiceSupport

/// The service as three processes on one database: one that takes requests, two that send.
@MainActor
final class SimulatedService {
    /// A sender that has not shown any life for so long is taken for gone; the shortest that the service allows.
    static let lease = Duration.seconds(10)

    private struct Running {
        var program: RunningProgram
        var faults: ProcessFaults
    }

    let directory: ServiceDirectory
    /// The second pair of eyes on the database.
    let store: Store
    /// `nil` where the database is a file.
    private let server: PostgreSQLForTests?
    private(set) var url: URL
    private let folder: URL
    private let port: Int
    private let arguments: [String]
    private var running: [SimulatedProgram: Running] = [:]
    private var thaws: [Task<Void, Never>] = []
    private(set) var kills = 0
    private(set) var freezes = 0
    /// The standstills that came at their moment, and not after the wait for it.
    private(set) var aimedFreezes = 0

    /// - Parameter server: where it keeps everything; `nil` for a file.
    init(in folder: URL, apns: APNsSimulator, server: PostgreSQLForTests?) async throws {
        (self.folder, self.server) = (folder, server)
        directory = try ServiceDirectory(path: folder.appending(path: "data").path)
        let files = SimulatorDirectory(path: folder.appending(path: "apns").path)
        try files.write(apns, seed: 1)
        _ = try directory.signInSecret()
        let database: [String]
        if let server {
            let address = "postgres://carillon@/postgres?host=\(try await server.folder().path)"
            store = Store(try await PostgreSQLEngine.opened(url: address) { _ in true })
            database = ["--database", address]
        } else {
            store = try directory.openStore()
            database = ["--data", directory.url.path]
        }
        url = URL(fileURLWithPath: "/")
        // It is started again at the same port: one that the system gives to nobody who asks for any.
        port = Int.random(in: 20_000..<32_000)
        arguments =
            [
                "serve", "--topic", SimulatedIPhone.topic, "--apns-url",
                "https://localhost:\(apns.port)", "--apns-ca", files.caPath, "--key", files.keyPath(keyID: apns.keyID),
                "--team-id", apns.teamID, "--registrations-per-address", "0", "--registrations-per-app", "0",
                "--calls-per-installation", "0", "--calls-per-key", "0", "--lease",
                "\(Self.lease.components.seconds)",
            ] + database
        let library = try await ProcessFaults.buildLibrary(in: folder)
        for program in SimulatedProgram.allCases {
            let faults = try ProcessFaults(
                library: library, file: folder.appending(path: "\(program.rawValue).faults"))
            running[program] = Running(program: try start(program, faults), faults: faults)
            if program == .api { url = try await address() }
        }
    }

    /// Returns the file of a program's standard error.
    func log(of program: SimulatedProgram) -> URL { folder.appending(path: "\(program.rawValue).log") }

    // MARK: - What happens to programs

    /// Kills it and starts it again; who does that makes room on the disk first.
    func kill(_ name: SimulatedProgram) async throws {
        guard let former = running[name] else { return }
        await former.program.kill()
        former.faults.isDiskFull = false
        kills += 1
        running[name]?.program = try start(name, former.faults)
        guard name == .api else { return }
        url = try await address()
    }

    /// Stops a sender for longer than its lease, in the middle of its work; it goes on by itself.
    ///
    /// The other sender stands still until then, so that the work is this one's.
    ///
    /// - Parameters:
    ///   - name: the sender.
    ///   - moment: the moment in its work.
    ///   - apns: where its pushes arrive.
    ///   - work: what makes it send.
    func freeze(
        _ name: SimulatedProgram, at moment: FreezeMoment, of apns: APNsSimulator, clock: any CarillonClock,
        work: @MainActor () -> Void
    ) async throws {
        guard let program = running[name]?.program else { return }
        let other = running[name == .firstSender ? .secondSender : .firstSender]?.program
        other?.freeze()
        defer { other?.letGo() }
        let hasCome = try await moment.stop(at: apns, within: Self.lease / 2, by: clock, work: work) {
            program.freeze()
        }
        freezes += 1
        if hasCome { aimedFreezes += 1 }
        thaws.append(
            Task {
                try? await clock.sleep(for: Self.lease * 1.4)
                if program.isRunning { program.letGo() }
            })
    }

    func setClock(_ name: SimulatedProgram, by offset: Duration) { running[name]?.faults.clockOffset = offset }
    /// A program that keeps nothing in files has no disk that could be full: its server crashes in place of that.
    func setDisk(_ name: SimulatedProgram, isFull: Bool) async throws {
        guard let server else {
            running[name]?.faults.isDiskFull = isFull
            return
        }
        if isFull { try await server.restart(.immediate) }
    }

    /// Ends every fault; what stands still goes on.
    func heal() async {
        for thaw in thaws { await thaw.value }
        thaws = []
        for faults in running.values.map(\.faults) {
            faults.clockOffset = .zero
            faults.isDiskFull = false
        }
    }

    /// Programs that have ended although nobody has ended them, with the last that they said.
    var ended: [String] {
        running.filter { !$0.value.program.isRunning }.keys.map { name in
            let text = (try? String(contentsOf: log(of: name), encoding: .utf8)) ?? ""
            return "the \(name.rawValue) has ended by itself: \(text.split(separator: "\n").suffix(3))"
        }
    }

    func stop() async {
        await heal()
        for program in running.values.map(\.program) where program.isRunning { _ = await program.interrupt() }
    }

    // MARK: - Starting

    private func start(_ name: SimulatedProgram, _ faults: ProcessFaults) throws -> RunningProgram {
        let secret = server == nil ? [] : ["--sign-in-secret", directory.url.appending(path: "sign-in.secret").path]
        let role = name == .api ? ["--role", "api", "--port", "\(port)"] + secret : ["--role", "sender"]
        return try RunningProgram(arguments + role, environment: faults.environment, log: log(of: name))
    }

    private func address() async throws -> URL {
        guard let lines = running[.api]?.program.lines else { return url }
        for await line in lines where line.hasPrefix(ReadyLine.prefix) {
            if let url = URL(string: String(line.dropFirst(ReadyLine.prefix.count))) { return url }
        }
        let text = (try? String(contentsOf: log(of: .api), encoding: .utf8)) ?? ""
        throw SimulationFailure("the api does not start: \(text.split(separator: "\n").suffix(3))")
    }
}
