import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import CarillonServer
import Foundation

/// The service, the network, and phones with the SDK, all on one manual clock: a whole delivery in one process.
@MainActor
final class TestSystem {
    static let user = "ada"
    private static var lastNumber = 0

    /// Runs overdue actions by itself: a loop without a pause fails the run.
    let clock = ManualClock(start: Timestamp(secondsSince1970: 1_800_000_000), overdueLimit: 200)
    let service: InProcessService
    let faults: FaultModel
    let network: NetworkModel
    let runLog: RunLog
    private(set) var phones: [TestSystemPhone] = []
    private let folder: URL

    private init(seed: UInt64, conditions: FaultModel.NetworkConditions) async throws {
        Self.lastNumber += 1
        folder = Self.memory.appending(
            path: "carillon-system-\(ProcessInfo.processInfo.processIdentifier)-\(Self.lastNumber)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        runLog = RunLog(clock: clock)
        faults = FaultModel(seed: seed, conditions)
        network = NetworkModel(faults: faults, clock: clock, runLog: runLog)
        service = try await InProcessService(folder: folder, clock: clock, sender: network)
    }

    /// The parent folder of the system's files: in memory if the tests were started with such a folder, so that no write waits
    /// for a disk.
    private static let memory =
        ProcessInfo.processInfo.environment["CARILLON_MEMORY_FOLDER"]
        .map { URL(filePath: $0, directoryHint: .isDirectory) } ?? FileManager.default.temporaryDirectory

    /// Runs `body` in a system of its own, and cleans up after it whatever happens.
    static func run<Value>(
        seed: UInt64 = 1, conditions: FaultModel.NetworkConditions = .faultless,
        _ body: @MainActor (TestSystem) async throws -> Value
    ) async throws -> Value {
        let system = try await TestSystem(seed: seed, conditions: conditions)
        let result: Result<Value, any Error>
        do { result = .success(try await body(system)) } catch { result = .failure(error) }
        for phone in system.phones { await phone.phone.shutDown() }
        try system.service.close()
        try? FileManager.default.removeItem(at: system.folder)
        return try result.get()
    }

    /// Adds a phone that is online, with the app in front and notifications allowed or not.
    @discardableResult
    func addPhone(
        _ name: String, user: String? = user, allowed: Bool = true, hasExtension: Bool = true,
        hasMatches: Bool = false, skew: Duration = .zero, rules: PhoneRules = PhoneRules()
    ) async throws -> TestSystemPhone {
        guard let token = DeviceToken(Data("token of \(name)".utf8)) else { throw URLError(.badURL) }
        let transport = LossyTransport(name, service: service, faults: faults, clock: clock, runLog: runLog)
        let phone = TestSystemPhone(
            name, system: self, service: service, transport: transport,
            link: NetworkModelLink(network: network, token: token), storage: folder,
            hasExtension: hasExtension, hasMatches: hasMatches, skew: skew, rules: rules)
        phones.append(phone)
        await phone.phone.boot()
        try phone.install(user: user)
        try await phone.phone.openApp(InProcessService.topic)
        if user != nil { phone.carillon?.signIn() }
        try await phone.phone.until("the permission sheet is up") { $0.permissionSheet != nil }
        try await phone.phone.answerPermission(allow: allowed)
        try await settle()
        return phone
    }

    // MARK: Time

    /// Advances the clock, from one deadline to the next.
    func advance(by duration: Duration, afterEach check: () throws -> Void = {}) async throws {
        let target = clock.now + duration
        while true {
            try await settle()
            try check()
            let due = [clock.nextDeadline, try await service.store.sending.nextDue(except: [])].compactMap(\.self).min()
            guard let due, due <= target else { break }
            clock.advance(to: max(due, clock.now))
        }
        clock.advance(to: target)
        try await settle()
        try check()
    }

    /// Lets service and phones do what can be done without time passing.
    func settle() async throws {
        repeat {
            try await service.sendDue()
            try await quiesce()
        } while try await isSomethingDue()
        for phone in phones { phone.readTraces() }
        if clock.hasRunHot { throw AppFixture.RanHot() }
    }

    /// Lets service and phones do what can be done without time passing, until `isTrue` returns `true`.
    ///
    /// On a busy machine, a thread can stand still in the middle of an app's work. Then the phone seems to have nothing to do.
    func settle(until isTrue: () -> Bool) async throws {
        for _ in 0..<Self.settleLimit {
            try await settle()
            if isTrue() { return }
        }
        throw NotQuiet(phones: phones.map { "\($0.name): what the test waits for does not come" })
    }

    private static let settleLimit = 10_000

    private func isSomethingDue() async throws -> Bool {
        guard let due = try await service.store.sending.nextDue(except: []) else { return false }
        return due <= clock.now
    }

    /// Returns when no phone and no app on it has anything to do before time passes.
    ///
    /// - Throws: ``NotQuiet`` if that does not come.
    private func quiesce() async throws {
        var idleRounds = 0
        for _ in 0..<Self.roundLimit {
            let before = phones.map(\.transport.requestCount)
            await yieldToAll()
            let isBusy = phones.contains { $0.transport.isBusy || $0.phone.isCallUnderWay }
            let hasRequested = before != phones.map(\.transport.requestCount)
            // A phone may stay unsettled only while it waits for an answer that is delayed.
            let isSettled = phones.allSatisfy { $0.phone.isSettled || $0.transport.isWaiting }
            if isBusy || hasRequested || !isSettled { idleRounds = 0 } else { idleRounds += 1 }
            if idleRounds == 4 { return }
        }
        throw NotQuiet(
            phones: phones.map { phone in
                "\(phone.name): requests under way: \(phone.transport.isBusy), answers: \(phone.transport.isWaiting), "
                    + "calls: \(phone.phone.isCallUnderWay), settled: \(phone.phone.isSettled)"
            })
    }

    private struct NotQuiet: Error { let phones: [String] }

    /// Some half a minute, paid only by a test that fails: on a busy machine the service may take seconds to answer.
    private static let roundLimit = 1_000_000

    /// Yields to everything that is ready to run, on the main queue and off it.
    private func yieldToAll() async {
        for _ in 0..<3 {
            await Task.detached {}.value
            await withCheckedContinuation { continuation in
                DispatchQueue.main.async { continuation.resume() }
            }
        }
    }
}
