import CarillonCore
import Foundation
import NIOHTTP1

/// Answers requests to the admin port, as docs/simulator.md describes them.
struct AdminAPI: Sendable {
    let simulator: APNsSimulator

    /// Answers a request.
    ///
    /// - Throws: ``AdminProblem`` with an HTTP status and a description of what to do.
    func answer(_ request: AdminRequest) async throws(AdminProblem) -> AdminAnswer {
        if let file = Self.pageFile(for: request) { return .page(file) }
        if let known = Self.parameters(of: request) { try request.checkQuery(known) }
        return switch (request.method, request.path.first, request.path.count) {
        case (.GET, nil, 0), (.GET, "simulator.json", 1): .json(simulator.adminDescription)
        case (.GET, "ca.pem", 1): .text(simulator.caCertificatePEM, type: "application/x-pem-file")
        case (.GET, "metrics", 1): .text(simulator.metrics, type: "text/plain; version=0.0.4; charset=utf-8")
        case (_, "events", _), (.GET, "requests", 1): try events(request)
        case (_, "pushes", _): try pushes(request)
        case (_, "devices", _): try devices(request)
        case (_, "fleet", _): try fleet(request)
        case (_, "tokens", _): try tokens(request)
        case (.POST, "answers", 1): try answers(request)
        case (_, "faults", 1): try faults(request)
        case (_, "delivery", 1): try delivery(request)
        case (.POST, "goaway", 1): try await goAway(request)
        case (_, "connections", 1): try await connections(request)
        case (.PUT, "listening", 1): try await listening(request)
        case (.POST, "clock", 1): try clock(request)
        default: throw AdminProblem(404, "there is no \(request.method) of this path; GET / lists all paths")
        }
    }

    /// Returns the parameters that the query of a request may have; `nil` for a path that is not there.
    private static func parameters(of request: AdminRequest) -> [String]? {
        switch (request.method, request.path.first) {
        case (.GET, "events"), (.GET, "requests"): ["after"]
        case (.GET, "pushes"): request.path.count == 1 ? ["before", "limit", "outcome", "search"] : []
        case (.DELETE, "tokens"): ["reason"]
        case (_, nil): []
        case (_, let name?): paths.contains(name) ? [] : nil
        }
    }

    private static let paths: Set = [
        "simulator.json", "ca.pem", "metrics", "events", "requests", "pushes", "devices", "fleet", "tokens", "answers",
        "faults", "delivery", "goaway", "connections", "listening", "clock",
    ]

    // MARK: - What happened

    private func events(_ request: AdminRequest) throws(AdminProblem) -> AdminAnswer {
        let text = request.parameter("after") ?? request.headers.first(name: "last-event-id") ?? "0"
        guard let after = Int(text), after >= 0 else {
            throw AdminProblem(400, "after is the number of an event, or 0 for all of them, not \(text.prefix(40))")
        }
        switch (request.method, request.path) {
        case (.GET, ["events", "stream"]): return .events(after: after)
        case (.GET, ["events"]): return .json(.array(simulator.events().filter { $0.number > after }.map(\.json)))
        case (.GET, ["requests"]):
            return .json(.array(simulator.events().filter { $0.number > after && $0.request != nil }.map(\.json)))
        case (.DELETE, ["events"]):
            simulator.clearEvents()
            return .nothing
        default: throw AdminProblem(405, "events are read with GET and forgotten with DELETE")
        }
    }

    // MARK: - Settings

    private func faults(_ request: AdminRequest) throws(AdminProblem) -> AdminAnswer {
        switch request.method {
        case .GET: break
        case .PUT: simulator.faults.plan = try FaultPlan(json: try request.dictionary())
        case .DELETE: simulator.faults.clear()
        default: throw AdminProblem(405, "faults are read with GET, replaced with PUT and ended with DELETE")
        }
        return .json(simulator.faults.plan.json)
    }

    private func answers(_ request: AdminRequest) throws(AdminProblem) -> AdminAnswer {
        simulator.faults.script(try Fault.script(try request.dictionary("answers")))
        return .nothing
    }

    private func delivery(_ request: AdminRequest) throws(AdminProblem) -> AdminAnswer {
        switch request.method {
        case .GET: break
        case .PUT: simulator.devices.rules = try DeliveryRules(json: try request.dictionary())
        default: throw AdminProblem(405, "the delivery rules are read with GET and replaced with PUT")
        }
        return .json(simulator.devices.rules.json)
    }

    private func goAway(_ request: AdminRequest) async throws(AdminProblem) -> AdminAnswer {
        let members = try request.dictionary("closing", "reason")
        let reason = try members["reason"].map { value throws(AdminProblem) in try RejectionReason(json: value) }
        guard let isClosing = (members["closing"] ?? .bool(true)).boolValue else {
            throw AdminProblem(400, "closing is true or false")
        }
        await simulator.goAway(reason, closing: isClosing)
        return .nothing
    }

    private func connections(_ request: AdminRequest) async throws(AdminProblem) -> AdminAnswer {
        switch request.method {
        case .GET: break
        case .DELETE: await simulator.closeAllConnections()
        case .PUT:
            let range = SimulatorLimits.concurrentStreams
            guard let streams = try request.dictionary("streams")["streams"]?.intValue, range.contains(streams) else {
                throw AdminProblem(400, "streams is a number from \(range.lowerBound) to \(range.upperBound)")
            }
            await simulator.limitStreams(to: streams)
        default: throw AdminProblem(405, "connections are counted with GET, limited with PUT and cut with DELETE")
        }
        return .json(["count": .int(Int64(simulator.connectionCount))])
    }

    private func listening(_ request: AdminRequest) async throws(AdminProblem) -> AdminAnswer {
        guard let isListening = try request.dictionary("listening")["listening"]?.boolValue else {
            throw AdminProblem(400, "listening is true or false")
        }
        do {
            if isListening { try await simulator.resumeListening() } else { await simulator.stopListening() }
        } catch {
            throw AdminProblem(409, error.description)
        }
        return .nothing
    }

    private func clock(_ request: AdminRequest) throws(AdminProblem) -> AdminAnswer {
        guard let seconds = try request.dictionary("advance_seconds")["advance_seconds"]?.doubleValue, seconds >= 0,
            seconds < SimulatorLimits.clockAdvanceLimit
        else {
            throw AdminProblem(400, "advance_seconds is a number that is not negative")
        }
        let duration = Duration.milliseconds(Int64(seconds * 1000))
        switch simulator.clock {
        case let clock as ManualClock: clock.advance(by: duration)
        case let clock as AdvanceableClock: clock.advance(by: duration)
        default: throw AdminProblem(409, "this simulator was started with a clock that cannot be advanced")
        }
        return .json(["now": .string(simulator.clock.now.description)])
    }
}
