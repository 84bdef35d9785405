import CarillonCore
import CarillonServer
import CarillonSimulator
import CommandSupport
import Foundation
import Logging
import ServiceSupport
import TestSupport

/// Backends, the service's processes, APNs and phones, to which a round's steps happen.
@MainActor
final class SimulatedSystem {
    private static let timeToHeal = Duration.seconds(90)

    private let clock = SystemClock()
    private let folder: TemporaryFolder
    private let apns: APNsSimulator
    private let service: SimulatedService
    private let phones: [SimulatedIPhone]
    private let key: String
    private let app: AppReference
    private(set) var tally = SimulationTally()

    /// - Parameter server: where the service keeps everything; `nil` for a file.
    static func run(
        on server: PostgreSQLForTests? = nil, _ body: @MainActor (SimulatedSystem) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        var configuration = SimulatorConfiguration(clock: SystemClock(), seed: 1, topics: [SimulatedIPhone.topic])
        configuration.journalLimit = 1_000_000
        let apns = try await APNsSimulator.start(
            configuration, logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() })
        let result: Result<Void, any Error>
        do {
            let service = try await SimulatedService(in: folder.url, apns: apns, server: server)
            do {
                let system = try await SimulatedSystem(in: folder, apns: apns, service: service)
                try await body(system)
                for phone in system.phones { await phone.shutDown() }
                result = .success(())
            } catch {
                result = .failure(error)
            }
            await service.stop()
        } catch {
            result = .failure(error)
        }
        await apns.shutdown()
        try result.get()
    }

    private init(in folder: TemporaryFolder, apns: APNsSimulator, service: SimulatedService) async throws {
        (self.folder, self.apns, self.service) = (folder, apns, service)
        let (clock, secret) = (clock, try service.directory.signInSecret())
        guard let app = try await service.store.apps.app(SimulatedIPhone.topic) else {
            throw SimulationFailure("the service has made no app")
        }
        self.app = app.reference
        let keys = APIKeys(in: service.store.keys, clock: clock, random: .system, by: AuditActor("test"))
        key = try await keys.make(name: "simulation", scopes: Set(APIScope.allCases), apps: [app.reference]).key
        phones = (0..<SimulationRound.phones).map { number in
            SimulatedIPhone(
                number: number, user: "user-\(number % SimulationRound.users)",
                folder: folder.url.appending(path: "phones"), service: service.url, secret: secret, apns: apns,
                clock: clock)
        }
        for phone in phones { try await phone.begin() }
        let registered = JudgedSystem(store: service.store, app: app.reference, clock: clock, phones: phones)
        try await heals("every phone is registered") { try await registered.unregistered() }
    }

    // MARK: - One round

    /// Plays a round, ends every fault, and waits until nothing is wrong any more.
    ///
    /// - Throws: ``SimulationFailure`` with everything that stays wrong.
    func play(_ round: SimulationRound, name: String) async throws {
        let backend = SimulatedBackend(service: service.url, key: key, name: name, clock: clock)
        var repairs: [Int: [@MainActor () async throws -> Void]] = [:]
        for (number, step) in round.steps.enumerated() {
            try await clock.sleep(for: .milliseconds(round.pauses[number]))
            for repair in repairs.removeValue(forKey: number) ?? [] { try await repair() }
            if let repair = try await perform(step, backend) { repairs[number + 4, default: []].append(repair) }
        }
        try await heal()
        await backend.finish()
        let system = JudgedSystem(store: service.store, app: app, clock: clock, phones: phones)
        try await heals("all is as it was promised") {
            let census = PushCensus(self.apns.requests())
            return try await self.service.ended + backend.refusals + system.wrong(backend.messages, census)
        }
        let census = PushCensus(apns.requests())
        tally.add(census, messages: backend.messages.count, of: service)
        apns.clearEvents()
    }

    /// - Returns: what ends the fault a few steps later, if it is one that lasts.
    private func perform(
        _ step: SimulationStep, _ backend: SimulatedBackend
    ) async throws -> (@MainActor () async throws -> Void)? {
        switch step {
        case .send(let message): backend.send(message)
        case .replace(let message): backend.replace(message)
        case .recall(let message): backend.recall(message)
        case .read(let message): backend.read(message, by: message % SimulationRound.users)
        case .kill(let program): try await service.kill(program)
        case .freeze(let program, let moment):
            try await service.freeze(program, at: moment, of: apns, clock: clock) {
                backend.send(SimulatedMessage(user: nil, mode: "visible"))
            }
        case .setClock(let program, let seconds): service.setClock(program, by: .seconds(seconds))
        case .fillDisk(let program):
            try await service.setDisk(program, isFull: true)
            return { try await self.service.setDisk(program, isFull: false) }
        case .disturbAPNs(let disturbance):
            apns.faults.plan = disturbance.plan
            return { self.apns.faults.clear() }
        default: try await perform(onPhone: step)
        }
        return nil
    }

    private func perform(onPhone step: SimulationStep) async throws {
        switch step {
        case .goOffline(let phone): await phones[phone].goOffline()
        case .goOnline(let phone): await phones[phone].goOnline()
        case .endApp(let phone): try await phones[phone].endApp()
        case .forceQuit(let phone): try await phones[phone].forceQuit()
        case .openApp(let phone): try await phones[phone].openApp()
        case .tap(let phone): try await phones[phone].tapNewest()
        default: break
        }
    }

    /// Everything works again, and every app comes to the front once: it fetches removals that APNs did not keep for a phone
    /// without a network, so that they displace no message (docs/decisions/033).
    private func heal() async throws {
        apns.faults.clear()
        await service.heal()
        for phone in phones {
            await phone.goOnline()
            try await phone.reopenApp()
        }
    }

    /// Looks again and again, since some things need their time, and tells what stays wrong.
    private func heals(_ sentence: String, _ wrong: () async throws -> [String]) async throws {
        let end = clock.now + Self.timeToHeal
        var found = try await wrong()
        while !found.isEmpty {
            guard clock.now < end else {
                throw SimulationFailure(
                    "not within \(Self.timeToHeal): \(sentence).\n" + found.joined(separator: "\n"))
            }
            try await clock.sleep(for: .milliseconds(100))
            found = try await wrong()
        }
    }
}

extension APNsDisturbance {
    /// The faults of APNs meanwhile; half of the requests go well.
    fileprivate var plan: FaultPlan {
        let fault: Fault =
            switch self {
            case .losesAnswers: .loseAnswer
            case .losesRequests: .loseRequest
            case .isUnavailable: .reject(.serviceUnavailable)
            case .cutsConnections: .cut
            }
        var plan = FaultPlan()
        plan.rates = [FaultPlan.Rate(fault, probability: 0.5)]
        return plan
    }
}
