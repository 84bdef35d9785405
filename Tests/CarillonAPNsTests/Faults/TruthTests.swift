import CarillonCore
import CarillonSimulator
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CarillonAPNs

/// Many sends through everything that goes wrong between a sender and APNs, and what the client says of each of them.
///
/// `CARILLON_FAULT_SENDS` sets how many in each run.

@Suite("The truth about every send", .serialized, .timeLimit(.minutes(10)))
struct TruthTests {
    private static let count =
        ProcessInfo.processInfo.environment["CARILLON_FAULT_SENDS"].flatMap(Int.init) ?? 5000
    private static let seeds = Seeds(fixed: [11], drawn: 1, filter: "TruthTests")

    /// One thing after the other; each lasts for a thirtieth of the run.
    private enum Disturbance: CaseIterable {
        case goAway, shutdownGoAway, oneStream, manyStreams, cutByPeer, tcpReset, refuseTLS, slowReader, calm
    }

    private func faults() -> FaultPlan {
        var plan = FaultPlan()
        plan.rates = [
            .init(.reject(.tooManyRequests), probability: 0.01), .init(.reject(.serviceUnavailable), probability: 0.01),
            .init(.reject(.internalServerError), probability: 0.005),
            .init(.answer(status: 502, body: "<html>"), probability: 0.001),
            // REFUSED_STREAM, CANCEL.
            .init(.reset(code: 7), probability: 0.01), .init(.reset(code: 8), probability: 0.002),
            .init(.loseAnswer, probability: 0.0005), .init(.loseRequest, probability: 0.0005),
        ]
        plan.latency = .none
        return plan
    }

    @Test(
        "through GOAWAY, resets, cuts, refusals, slowness and silence, each send is answered once, with the truth",
        arguments: seeds.all)
    func truth(seed: UInt64) async throws {
        var configuration = SimulatorConfiguration(
            clock: SystemClock(), seed: seed, topics: [SimulatorTests.topic])
        configuration.journalLimit = 8 * Self.count
        configuration.faults = faults()
        let simulator = try await APNsSimulator.start(configuration, logger: TestValues.quiet)
        let network = try await FaultyNetwork.start(to: simulator.port)
        let tokens = (0..<100).map {
            simulator.devices.issueToken(device: "phone-\($0)", topic: SimulatorTests.topic, environment: .sandbox)
        }
        let client = try client(of: simulator, through: network, seed: seed)
        let record = AnswerRecord()
        let disturbing = Task { try await disturb(simulator, network, record, seed: seed) }
        try await send(through: client, to: tokens, record)
        disturbing.cancel()
        _ = await disturbing.result
        let statistics = client.statistics
        await client.shutdown()
        await simulator.shutdown()
        try await network.stop()

        let again = Self.seeds.again(seed)
        let sums = record.check(Self.count, against: simulator.requests(), again: again)
        #expect(sums.untrue == 0, "\(again)")
        #expect(sums.accepted > Self.count / 2, "most of it works, or this says little: \(sums); \(again)")
        #expect(sums.rejected.count >= 3 && sums.unknown > 0, "the faults happened: \(sums); \(again)")
        #expect(statistics.accepted == sums.accepted && statistics.rejected == sums.rejected)
        #expect(statistics.goAways > 0 && statistics.connectionsLost > 0 && statistics.sentAgain > 0)
        #expect(network.refused > 0 && statistics.connectionsFailed > 0)
    }

    private func client(of simulator: APNsSimulator, through network: FaultyNetwork, seed: UInt64) throws -> APNsClient
    {
        var limits = APNsLimits()
        limits.connections = 4
        limits.congestionBeforeGrowth = .milliseconds(20)
        limits.shortestBackoff = .milliseconds(5)
        limits.longestBackoff = .milliseconds(50)
        let key = try APNsSigningKey(pem: simulator.signingKeyPEM, keyID: simulator.keyID, teamID: simulator.teamID)
        return try APNsClient(
            configuration: APNsConfiguration(
                endpoint: APNsEndpoint(host: "127.0.0.1", port: network.port), credential: .signingKey(key),
                trustRoots: .pem(simulator.caCertificatePEM), clock: SystemClock(), seed: seed,
                defaultDeadline: .seconds(15), limits: limits),
            logger: TestValues.quiet)
    }

    /// Half by the batch API, half from tasks of their own.
    private func send(through client: APNsClient, to tokens: [Data], _ record: AnswerRecord) async throws {
        let half = Self.count / 2
        let batch = BatchTests.Source(count: half, read: BatchTests.Counter(), tokens: tokens)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await delivery in client.send(contentsOf: batch, window: 500) {
                    record.write(delivery.notification.apnsID, delivery.result)
                }
            }
            for first in 1...100 {
                group.addTask {
                    for number in stride(from: half + first, through: Self.count, by: 100) {
                        let notification = try TestValues.notification(number: number, to: tokens)
                        do throws(APNsError) {
                            record.write(notification.apnsID, .success(try await client.send(notification)))
                        } catch {
                            record.write(notification.apnsID, .failure(error))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func disturb(
        _ simulator: APNsSimulator, _ network: FaultyNetwork, _ record: AnswerRecord, seed: UInt64
    ) async throws {
        var generator = SeededGenerator(seed: seed)
        var ends = record.ends.makeAsyncIterator()
        for part in 1..<30 {
            while record.count < part * Self.count / 30, await ends.next() != nil {}
            try Task.checkCancellation()
            network.isSlow = false
            // Each kind at least once.
            let kind =
                part <= Disturbance.allCases.count
                ? Disturbance.allCases[part - 1] : Disturbance.allCases.randomElement(using: &generator) ?? .calm
            switch kind {
            case .goAway: await simulator.goAway(nil, closing: true)
            case .shutdownGoAway: await simulator.goAway(.shutdown, closing: true)
            case .oneStream: await simulator.limitStreams(to: 1)
            case .manyStreams: await simulator.limitStreams(to: 1000)
            case .cutByPeer: await simulator.closeAllConnections()
            case .tcpReset: network.reset()
            case .refuseTLS:
                network.refuse(3)
                network.reset()
            case .slowReader: network.isSlow = true
            case .calm: break
            }
        }
    }
}
