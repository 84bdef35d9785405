import CarillonApp
import CarillonCore
import Foundation
import Synchronization

/// One phone's way to the service: it loses requests and answers, and delivers what the app has given up.
final class Wire: ServiceTransport {
    private let name: String
    private let service: InProcessService
    private let fate: Fate
    private let clock: ManualClock
    private let story: Story
    private let isOnline = Atomic(true)
    /// Requests that the service has at this moment.
    private let busy = Atomic(0)
    private let total = Atomic(0)
    /// Answers that are on their way.
    private let waiting = Atomic(0)
    private let stray = Mutex<[ServiceRequest]>([])

    init(_ name: String, service: InProcessService, fate: Fate, clock: ManualClock, story: Story) {
        self.name = name
        self.service = service
        self.fate = fate
        self.clock = clock
        self.story = story
    }

    var isBusy: Bool { busy.load(ordering: .sequentiallyConsistent) > 0 }
    var isWaiting: Bool { waiting.load(ordering: .sequentiallyConsistent) > 0 }
    var requestCount: Int { total.load(ordering: .sequentiallyConsistent) }
    func setOnline(_ isOn: Bool) { isOnline.store(isOn, ordering: .sequentiallyConsistent) }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        total.add(1, ordering: .sequentiallyConsistent)
        let label = "\(name): \(request.method) \(request.url.path.split(separator: "/").last ?? "")"
        guard isOnline.load(ordering: .sequentiallyConsistent) else { throw OfflineError() }
        var chance = fate.generator("request \(name)")
        let weather = fate.current
        if chance.happens(weather.losesRequests) {
            story.tell("\(label) is lost")
            throw URLError(.timedOut)
        }
        if chance.happens(weather.delaysRequests) {
            story.tell("\(label) is late: the app gives it up")
            stray.withLock { $0.append(request) }
            throw URLError(.timedOut)
        }
        let response = try await ask(request)
        if chance.happens(weather.losesAnswers) {
            story.tell("\(label) is heard, its answer is lost")
            throw URLError(.networkConnectionLost)
        }
        if chance.happens(weather.delaysAnswers) {
            let seconds = Int64(1 + chance.below(20))
            story.tell("\(label) is heard, its answer takes \(seconds) s")
            waiting.add(1, ordering: .sequentiallyConsistent)
            defer { waiting.subtract(1, ordering: .sequentiallyConsistent) }
            try await clock.sleep(for: .seconds(seconds))
        }
        return response
    }

    /// What was given up reaches the service after all, newest first.
    func deliverStray() async throws {
        let requests = stray.withLock { stray in
            defer { stray = [] }
            return stray
        }
        for request in requests.reversed() {
            story.tell("\(name): \(request.method) \(request.url.lastPathComponent) arrives late")
            _ = try await ask(request)
        }
    }

    private func ask(_ request: ServiceRequest) async throws -> ServiceResponse {
        busy.add(1, ordering: .sequentiallyConsistent)
        defer { busy.subtract(1, ordering: .sequentiallyConsistent) }
        return try await service.respond(to: request)
    }
}
