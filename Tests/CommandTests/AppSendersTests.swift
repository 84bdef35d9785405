import CarillonCore
import CarillonSimulator
import Foundation
import Logging
import TestSupport
import Testing

@testable import CarillonAPNs
@testable import CarillonServer

@Suite("Each app's pushes are signed with the app's own credential", .timeLimit(.minutes(3)))
struct AppSendersTests {
    private static let topic = "com.example.chime"

    private struct System {
        let simulator: APNsSimulator
        let store: Store
        let senders: AppSenders
        let key: URL
        let token: DeviceToken
        let clock: any CarillonClock

        var reference: CredentialReference {
            .signingKey(path: key.path, keyID: simulator.keyID, teamID: simulator.teamID)
        }

        /// - Parameter isList: whether it is handed over as one of several can be.
        func send(isList: Bool) async throws -> SendOutcome {
            guard isList else { return await senders.send(push) }
            return try #require(await send(1)[0])
        }

        /// Hands pushes over together, and returns their outcomes in the order of the pushes.
        func send(_ count: Int, within time: Duration = .seconds(15)) async -> [SendOutcome?] {
            let outcomes = SharedValue([SendOutcome?](repeating: nil, count: count))
            let deadline = SendDeadline(at: clock.uptime + time, on: clock)
            await senders.send((0..<count).map { _ in push }, until: deadline) { answers in
                outcomes.withLock { all in for answer in answers { all[answer.place] = answer.outcome } }
            }
            return outcomes.withLock { $0 }
        }

        private var push: ComposedPush {
            ComposedPush(
                token: token, app: AppID(topic: AppSendersTests.topic, environment: .sandbox), pushType: .background,
                payload: Data(#"{"aps":{"content-available":1}}"#.utf8), priority: .considerate,
                expiration: .oneAttempt, collapseID: "c", apnsID: UUID())
        }

        func use(_ reference: CredentialReference) async throws {
            _ = try await store.apps.put(
                AppSettings(topic: AppSendersTests.topic, credentials: [.sandbox: reference]),
                by: AuditActor("test"), at: SystemClock().now)
        }
    }

    @Test("a certificate is named with its app, environment and end, and within 30 days of the end with an advice")
    func endingCertificate() async throws {
        try await run { system in
            let issued = try system.simulator.issueClientCertificate(topics: [Self.topic])
            let file = system.key.deletingLastPathComponent().appending(path: "certificate.pem")
            try TemporaryFolder.write(secret: Data(issued.pem.utf8), to: file)
            let end = try APNsCertificate(
                certificatePEM: issued.certificatePEM, privateKeyPEM: issued.privateKeyPEM
            ).validUntil
            try await system.use(.certificate(path: file.path))
            let early = await system.senders.credentialEnds(at: end - .seconds(31 * 86_400))
            #expect(early.map(\.end) == [end] && early.map(\.advice) == [nil])
            let ending = await system.senders.credentialEnds(at: end - .seconds(3 * 86_400))
            #expect(ending.map(\.app) == [AppID(topic: Self.topic, environment: .sandbox)])
            #expect(ending.first?.end == end && ending.first?.advice?.contains("in 3 days: renew it.") == true)
            try FileManager.default.removeItem(at: file)
            #expect(await system.senders.credentialEnds(at: end).isEmpty, "what cannot be read is another alarm")
            try await system.use(system.reference)
            #expect(await system.senders.credentialEnds(at: end).isEmpty, "a key has no end")
        }
    }

    @Test("an app that is added is logged once, by the next check for changes")
    func addedApp() async throws {
        let log = SharedLog()
        try await run(logger: Logger(label: "test") { _ in log.handler() }) { system in
            try await system.use(system.reference)
            _ = await system.senders.changedCredentials()
            _ = try await system.store.apps.put(
                AppSettings(topic: "com.example.ferry"), by: AuditActor("test"), at: SystemClock().now)
            _ = await system.senders.changedCredentials()
            _ = await system.senders.changedCredentials()
        }
        #expect(log.lines.filter { $0.hasPrefix("an app") } == ["an app was added app=com.example.ferry"])
    }

    @Test("an app that is removed is logged once, sends nothing more, and its client ends where no app has its key")
    func removedApp() async throws {
        let log = SharedLog()
        try await run(logger: Logger(label: "test") { _ in log.handler() }) { system in
            try await system.use(system.reference)
            guard case .accepted = try await system.send(isList: false) else {
                Issue.record("nothing is sent")
                return
            }
            _ = await system.senders.changedCredentials()
            #expect(await system.senders.clientTally().connections == 1)
            let known = try #require(try await system.store.apps.app(Self.topic))
            let isRemoved = try await system.store.apps.remove(
                known.reference, by: AuditActor("test"), at: SystemClock().now)
            #expect(isRemoved)
            let app = AppID(topic: Self.topic, environment: .sandbox)
            #expect(await system.senders.changedCredentials() == [app])
            #expect(await system.senders.changedCredentials().isEmpty)
            #expect(await system.senders.takeRemovedApps() == [Self.topic])
            #expect(await system.senders.takeRemovedApps().isEmpty)
            for isList in [false, true] {
                #expect(try await system.send(isList: isList) == .unsendable("the app was removed"))
            }
            while await system.senders.clientTally().connections > 0 { await Task.yield() }
        }
        #expect(
            log.lines.filter { $0.hasPrefix("an app") } == [
                "an app was removed: nothing of it is sent any more app=com.example.chime"
            ])
    }

    @Test("a client that loses one connection after the other writes one line about it in a minute")
    func lostConnections() async throws {
        let log = SharedLog()
        try await run(logger: Logger(label: "test") { _ in log.handler() }) { system in
            try await system.use(system.reference)
            for _ in 0..<3 {
                _ = try await system.send(isList: false)
                await system.simulator.closeAllConnections()
                while await system.senders.clientTally().connections > 0 { await Task.yield() }
            }
        }
        #expect(log.lines.filter { $0.hasPrefix("connection to APNs lost") }.count == 1, "\(log.lines)")
    }

    private func run(
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        clock: any CarillonClock = SystemClock(), _ body: (System) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        var configuration = SimulatorConfiguration(clock: clock, seed: 1, topics: [Self.topic])
        configuration.environment = .sandbox
        let simulator = try await APNsSimulator.start(configuration, logger: logger)
        let store = Store(try SQLiteEngine(path: folder.url.appending(path: "s.sqlite").path))
        let endpoint = APNsEndpoint(host: simulator.host, port: simulator.port)
        let senders = AppSenders(
            apps: store.apps,
            endpoints: AppSenders.Endpoints(
                production: endpoint, sandbox: endpoint, trustRoots: .pem(simulator.caCertificatePEM)),
            certificatePassword: nil, clock: clock, logger: logger)
        let key = folder.url.appending(path: "key.p8")
        try TemporaryFolder.write(secret: Data(simulator.signingKeyPEM.utf8), to: key)
        let issued = simulator.devices.issueToken(device: "phone", topic: Self.topic, environment: .sandbox)
        let result: Result<Void, any Error>
        do {
            let token = try #require(DeviceToken(issued))
            result = .success(
                try await body(
                    System(
                        simulator: simulator, store: store, senders: senders, key: key, token: token, clock: clock)))
        } catch {
            result = .failure(error)
        }
        await senders.shutdown()
        await simulator.shutdown()
        try result.get()
    }

    @Test(
        "one that is added while the service runs is found, and so is a file that comes later",
        arguments: [false, true])
    func added(isList: Bool) async throws {
        try await run { system in
            #expect(try await system.send(isList: isList) == .unsendable("the app was removed"))
            _ = try await system.store.apps.put(
                AppSettings(topic: Self.topic), by: AuditActor("test"), at: SystemClock().now)
            #expect(try await system.send(isList: isList) == .noCredential("the app has none"))
            let key = try Data(contentsOf: system.key)
            try FileManager.default.removeItem(at: system.key)
            try await system.use(system.reference)
            guard case .noCredential(let why) = try await system.send(isList: isList) else {
                Issue.record("sent without a key")
                return
            }
            #expect(why.contains(system.key.path))
            try key.write(to: system.key)
            guard case .noCredential(let exposure) = try await system.send(isList: isList) else {
                Issue.record("sent with a key that everybody can read")
                return
            }
            #expect(exposure.contains("run 'chmod o-rwx \(system.key.path)'"), "\(exposure)")
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: system.key.path)
            guard case .accepted = try await system.send(isList: isList) else {
                Issue.record("not sent with the key")
                return
            }
        }
    }

    @Test("only a regular file can be read again and again: no pipe, no folder, no environment variable")
    func regularFiles() throws {
        let folder = try TemporaryFolder()
        let (file, pipe) = (folder.url.appending(path: "key.p8").path, folder.url.appending(path: "pipe.p8").path)
        try TemporaryFolder.write(secret: Data("key".utf8), to: URL(fileURLWithPath: file))
        #expect(mkfifo(pipe, 0o600) == 0)
        func isRegular(_ path: String) -> Bool { CredentialReference.certificate(path: path).isRegularFile }
        #expect(isRegular(file))
        for path in [pipe, folder.url.path, "env:CARILLON_KEY", "/dev/null"] { #expect(!isRegular(path), "\(path)") }
    }

    @Test("one that APNs refuses is read again, so that a replaced one is used", arguments: [false, true])
    func replaced(isList: Bool) async throws {
        try await run { system in
            guard case .signingKey(let path, let keyID, _) = system.reference else { return }
            try await system.use(.signingKey(path: path, keyID: keyID, teamID: "OTHERTEAM1"))
            guard case .rejected(let rejection) = try await system.send(isList: isList) else {
                Issue.record("another team's key was taken")
                return
            }
            #expect(rejection.remedy == .fixCredential)
            try await system.use(system.reference)
            guard case .accepted = try await system.send(isList: isList) else {
                Issue.record("the right key was not used")
                return
            }
        }
    }

    @Test(
        "a new file is tried at once, and the old credential is used until the new one works",
        arguments: [false, true])
    func rotated(isList: Bool) async throws {
        try await run { system in
            func isAccepted() async throws -> Bool {
                if case .accepted = try await system.send(isList: isList) { true } else { false }
            }
            let app = AppID(topic: Self.topic, environment: .sandbox)
            try await system.use(system.reference)
            #expect(try await isAccepted())
            #expect(await system.senders.changedCredentials().isEmpty, "the first look")
            let key = try Data(contentsOf: system.key)
            // A file that is no key, and one that APNs does not know.
            try Data("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8).write(to: system.key)
            #expect(await system.senders.changedCredentials() == [app])
            #expect(await system.senders.changedCredentials().isEmpty)
            #expect(try await isAccepted())
            try key.write(to: system.key)
            #expect(await system.senders.changedCredentials() == [app])
            #expect(try await isAccepted())
            guard case .signingKey(let path, let keyID, _) = system.reference else { return }
            try await system.use(.signingKey(path: path, keyID: keyID, teamID: "OTHERTEAM1"))
            #expect(await system.senders.changedCredentials() == [app])
            #expect(try await isAccepted(), "with the old one")
            #expect(try await isAccepted(), "with the old one, without another try")
            #expect(await system.senders.refusedCredentials() == [app])
            try await system.use(system.reference)
            #expect(await system.senders.changedCredentials() == [app])
            #expect(try await isAccepted())
            #expect(await system.senders.refusedCredentials().isEmpty)
        }
    }

    private func isAccepted(_ outcome: SendOutcome?) -> Bool { if case .accepted? = outcome { true } else { false } }

    @Test("an APNs that falls silent while a new credential is tried holds up one push, and none longer than its time")
    func silentTrial() async throws {
        let clock = ManualClock(start: Timestamp(secondsSince1970: 1_790_000_000))
        try await run(clock: clock) { system in
            try await system.use(system.reference)
            #expect(await system.send(1).allSatisfy(isAccepted))
            _ = await system.senders.changedCredentials()
            try Data((try String(contentsOf: system.key, encoding: .utf8) + "\n").utf8).write(to: system.key)
            #expect(await system.senders.changedCredentials().count == 1)
            system.simulator.faults.plan.rates = [.init(.loseRequest, probability: 1)]
            let sending = Task { await system.send(10) }
            while system.simulator.requests().count < 2 { await Task.yield() }
            clock.advance(by: .seconds(5))
            // The others go out with the old credential, all at once.
            while system.simulator.requests().count < 11 { await Task.yield() }
            clock.advance(by: .seconds(10))
            let outcomes = await sending.value
            #expect(outcomes.allSatisfy { if case .unanswered? = $0 { true } else { false } }, "\(outcomes)")
            system.simulator.faults.clear()
            // The pause before the next attempt to connect is over.
            clock.advance(by: .seconds(1))
            #expect(await system.send(3).allSatisfy(isAccepted))
        }
    }

    @Test("what has no time left when its credential has been looked up is not begun", arguments: [1, 10])
    func noTimeLeft(count: Int) async throws {
        try await run { system in
            try await system.use(system.reference)
            #expect(await system.send(count, within: .zero).allSatisfy { $0 == .notBegun })
            #expect(system.simulator.requests().isEmpty)
            #expect(await system.send(count).allSatisfy(isAccepted))
        }
    }

    @Test("a credential that APNs refuses leaves no client behind")
    func refusedLeavesNothing() async throws {
        try await run { system in
            try await system.use(system.reference)
            #expect(await system.send(1).allSatisfy(isAccepted))
            guard case .signingKey(let path, let keyID, _) = system.reference else { return }
            for team in ["OTHERTEAM1", "OTHERTEAM2", "OTHERTEAM3"] {
                try await system.use(.signingKey(path: path, keyID: keyID, teamID: team))
                _ = await system.senders.changedCredentials()
                #expect(await system.send(2).allSatisfy(isAccepted), "with the old one")
            }
            while await system.senders.clientTally().connections > 1 { await Task.yield() }
            while system.simulator.connectionCount > 1 { await Task.yield() }
        }
    }

    @Test("a sender that has been shut down, also twice at once, begins nothing more")
    func afterShutdown() async throws {
        try await run { system in
            try await system.use(system.reference)
            #expect(await system.send(1).allSatisfy(isAccepted))
            async let first: Void = system.senders.shutdown()
            async let second: Void = system.senders.shutdown()
            _ = await (first, second)
            _ = await system.senders.changedCredentials()
            _ = await system.senders.credentialEnds(at: SystemClock().now)
            #expect(await system.send(2).allSatisfy { $0 == .notBegun })
            await system.senders.shutdown()
        }
    }

    @Test("what the other side says of a certificate is a sentence, and no text has a place of a source file in it")
    func alerts() {
        let text =
            "handshakeFailed(NIOSSL.BoringSSLError.sslError([Error: 268436501 error:10000415:SSL routines:OPENSSL_internal:SSLV3_ALERT_CERTIFICATE_EXPIRED at /b/x/tls_record.cc:491]))"
        #expect(TLSAlert.sentence(of: text).contains("it has expired"))
        #expect(TLSAlert.sentence(of: "x at /b/x/tls_record.cc:491]") == "x]")
    }
}
