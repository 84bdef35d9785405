import CarillonApp
import CarillonCore
import CarillonMessaging
import Foundation
import Synchronization

/// One phone's connection to the service: it loses requests and answers, and delivers requests that have timed out.
final class LossyTransport: ServiceTransport {
    private let name: String
    private let service: InProcessService
    private let faults: FaultModel
    private let clock: ManualClock
    private let runLog: RunLog
    private let isOnline = Atomic(true)
    /// Requests that the service is answering at this moment.
    private let busy = Atomic(0)
    /// The times of all requests.
    private let times = Mutex<[Timestamp]>([])
    /// Answers that are on their way.
    private let waiting = Atomic(0)
    private let stray = Mutex<[ServiceRequest]>([])

    init(_ name: String, service: InProcessService, faults: FaultModel, clock: ManualClock, runLog: RunLog) {
        self.name = name
        self.service = service
        self.faults = faults
        self.clock = clock
        self.runLog = runLog
    }

    var isBusy: Bool { busy.load(ordering: .sequentiallyConsistent) > 0 }
    var isWaiting: Bool { waiting.load(ordering: .sequentiallyConsistent) > 0 }
    var requestCount: Int { times.withLock(\.count) }
    /// The greatest number of requests within any minute.
    var requestsPerMinute: Int {
        let times = times.withLock(\.self)
        return times.indices.map { first in times[first...].prefix { $0 < times[first] + .seconds(60) }.count }.max()
            ?? 0
    }
    func setOnline(_ isOn: Bool) { isOnline.store(isOn, ordering: .sequentiallyConsistent) }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        times.withLock { $0.append(clock.now) }
        let label = "\(name): \(request.method) \(request.url.path.split(separator: "/").last ?? "")"
        guard isOnline.load(ordering: .sequentiallyConsistent) else { throw OfflineError() }
        var random = faults.generator("request \(name)")
        let conditions = faults.current
        if random.happens(conditions.losesRequests) {
            runLog.add("\(label) is lost")
            throw URLError(.timedOut)
        }
        if random.happens(conditions.delaysRequests) {
            runLog.add("\(label) is late: it times out")
            stray.withLock { $0.append(request) }
            throw URLError(.timedOut)
        }
        let response = try await ask(request)
        if random.happens(conditions.losesAnswers) {
            runLog.add("\(label) is received, its answer is lost")
            throw URLError(.networkConnectionLost)
        }
        if random.happens(conditions.delaysAnswers) {
            let seconds = Int64(1 + random.below(20))
            runLog.add("\(label) is received, its answer takes \(seconds) s")
            waiting.add(1, ordering: .sequentiallyConsistent)
            defer { waiting.subtract(1, ordering: .sequentiallyConsistent) }
            try await clock.sleep(for: .seconds(seconds))
        }
        return response
    }

    /// Requests that have timed out reach the service after all, newest first.
    func deliverStray() async throws {
        let requests = stray.withLock { stray in
            defer { stray = [] }
            return stray
        }
        for request in requests.reversed() {
            runLog.add("\(name): \(request.method) \(request.url.lastPathComponent) arrives late")
            _ = try await ask(request)
        }
    }

    private func ask(_ request: ServiceRequest) async throws -> ServiceResponse {
        busy.add(1, ordering: .sequentiallyConsistent)
        defer { busy.subtract(1, ordering: .sequentiallyConsistent) }
        return try await service.respond(to: request)
    }
}
