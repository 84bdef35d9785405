import CarillonCore

extension RejectionReason {
    init(json: JSONValue) throws(AdminProblem) {
        guard let reason = json.stringValue.flatMap(RejectionReason.init(rawValue:)) else {
            throw AdminProblem(400, "reason is one of Apple's, such as TooManyRequests")
        }
        self = reason
    }
}

extension Fault {
    /// Parses a fault: a failure that the simulator injects on purpose into one request.
    ///
    /// The value is a reason such as `"TooManyRequests"`, or `"lose-answer"`, `"lose-request"`, `"cut"`, `"fall-silent"`,
    /// `"go-away"`, `{"reset": 7}`, or `{"status": 503, "body": "…", "retry_after_seconds": 30}`.
    init(json: JSONValue) throws(AdminProblem) {
        if let code = json["reset"]?.intValue, let code = UInt32(exactly: code) {
            try json.checkMembers("reset", in: "such a fault")
            self = .reset(code: code)
            return
        }
        if let status = json["status"]?.intValue, (200...599).contains(status) {
            self = try Self.answer(status: status, json)
            return
        }
        switch json.stringValue {
        case "lose-answer": self = .loseAnswer
        case "lose-request": self = .loseRequest
        case "cut": self = .cut
        case "fall-silent": self = .fallSilent
        case "go-away": self = .goAway
        default:
            guard let reason = json.stringValue.flatMap(RejectionReason.init(rawValue:)) else {
                throw AdminProblem(
                    400,
                    "a fault is one of Apple's reasons, lose-answer, lose-request, cut, fall-silent, go-away, "
                        + "{\"reset\": code}, or {\"status\": 200–599, \"body\": …, "
                        + "\"retry_after_seconds\": …}")
            }
            self = .reject(reason)
        }
    }

    /// Reads the member `answers`: a fault for each request, or null for one that passes.
    static func script(_ members: [String: JSONValue]) throws(AdminProblem) -> [Fault?] {
        guard let list = members["answers"]?.arrayValue else {
            throw AdminProblem(400, "answers is a list of faults, or null for a request that passes")
        }
        var faults: [Fault?] = []
        for item in list { faults.append(item == .null ? nil : try Fault(json: item)) }
        return faults
    }

    private static func answer(status: Int, _ json: JSONValue) throws(AdminProblem) -> Fault {
        try json.checkMembers("body", "retry_after_seconds", "status", in: "such a fault")
        guard let body = (json["body"] ?? "").stringValue else {
            throw AdminProblem(400, "the body of a fault is a text")
        }
        guard let pause = json["retry_after_seconds"] else { return .answer(status: status, body: body) }
        guard let seconds = pause.intValue, (0...SimulatorLimits.seconds).contains(seconds) else {
            throw AdminProblem(400, "retry_after_seconds is a whole number from 0 to \(SimulatorLimits.seconds)")
        }
        return .answer(status: status, body: body, retryAfter: .seconds(seconds))
    }

    var json: JSONValue {
        switch self {
        case .reject(let reason): .string(reason.rawValue)
        case .loseAnswer: "lose-answer"
        case .loseRequest: "lose-request"
        case .cut: "cut"
        case .fallSilent: "fall-silent"
        case .goAway: "go-away"
        case .answer(let status, let body, let retryAfter):
            .object(
                ["status": .int(Int64(status)), "body": .string(body)].merging(
                    retryAfter.map { ["retry_after_seconds": .int($0.components.seconds)] } ?? [:]
                ) { $1 })
        case .reset(let code): ["reset": .int(Int64(code))]
        }
    }
}

extension Latency {
    init(json: JSONValue) throws(AdminProblem) {
        if json["constant_ms"] != nil {
            try json.checkMembers("constant_ms", in: "such a latency")
            self = .constant(try Self.duration(json, "constant_ms"))
        } else if json["from_ms"] != nil {
            try json.checkMembers("from_ms", "to_ms", in: "such a latency")
            self = .uniform(try Self.duration(json, "from_ms"), try Self.duration(json, "to_ms"))
        } else if json["mean_ms"] != nil {
            try json.checkMembers("mean_ms", in: "such a latency")
            self = .exponential(mean: try Self.duration(json, "mean_ms"))
        } else if json == .null {
            self = .none
        } else {
            throw AdminProblem(
                400, "latency is {\"constant_ms\": …}, {\"from_ms\": …, \"to_ms\": …}, {\"mean_ms\": …} or null")
        }
    }

    private static func duration(_ json: JSONValue, _ key: String) throws(AdminProblem) -> Duration {
        let limit = SimulatorLimits.latencyMillisecondLimit
        guard let milliseconds = json[key]?.intValue, (0...limit).contains(milliseconds) else {
            throw AdminProblem(400, "\(key) is a whole number from 0 to \(limit)")
        }
        return .milliseconds(milliseconds)
    }

    var json: JSONValue {
        switch self {
        case .none: .null
        case .constant(let duration): ["constant_ms": .int(duration.wholeMilliseconds)]
        case .uniform(let shortest, let longest):
            ["from_ms": .int(shortest.wholeMilliseconds), "to_ms": .int(longest.wholeMilliseconds)]
        case .exponential(let mean): ["mean_ms": .int(mean.wholeMilliseconds)]
        }
    }
}

extension FaultPlan {
    /// Parses a plan from its JSON object, as ``json`` writes it.
    ///
    /// An absent key means its default, and so does `null`.
    ///
    /// - Throws: ``AdminProblem`` for an invalid value or an unknown key, so that a misspelt key does not become a plan without
    ///   faults.
    init(json members: [String: JSONValue]) throws(AdminProblem) {
        self.init()
        let shown = json.objectValue ?? [:]
        for (key, value) in members where value != .null || shown[key] == nil {
            switch key {
            case "rates": rates = try Self.rates(value)
            case "latency": latency = try Latency(json: value)
            case "go_away_every":
                guard let every = value.intValue, every > 0 else {
                    throw AdminProblem(400, "go_away_every is a number from 1")
                }
                goAwayEvery = every
            case "go_away_reason": goAwayReason = try RejectionReason(json: value)
            case "limits_streams_after_rejection":
                guard let flag = value.boolValue else { throw AdminProblem(400, "\(key) is true or false") }
                limitsStreamsAfterRejection = flag
            case "patience":
                guard let slow = value["slow_after"]?.intValue, let close = value["close_after"]?.intValue else {
                    throw AdminProblem(400, "patience is {\"slow_after\": …, \"close_after\": …}")
                }
                try value.checkMembers("close_after", "slow_after", in: "patience")
                patience = Patience(slowAfter: slow, closeAfter: close)
            case "clock_skew_seconds":
                let limit = SimulatorLimits.seconds
                guard let seconds = value.intValue, (-limit...limit).contains(seconds) else {
                    throw AdminProblem(400, "\(key) is a whole number from -\(limit) to \(limit)")
                }
                clockSkew = .seconds(seconds)
            default: throw AdminProblem(400, "a fault plan has no \(key); GET /faults shows what it has")
            }
        }
    }

    private static func rates(_ json: JSONValue) throws(AdminProblem) -> [Rate] {
        guard let items = json.arrayValue else { throw AdminProblem(400, "rates is a list") }
        var rates: [Rate] = []
        for item in items {
            guard let fault = item["fault"], let probability = item["probability"]?.doubleValue,
                (0...1).contains(probability)
            else { throw AdminProblem(400, "a rate is {\"fault\": …, \"probability\": 0–1}") }
            try item.checkMembers("fault", "probability", in: "a rate")
            rates.append(Rate(try Fault(json: fault), probability: probability))
        }
        return rates
    }

    var json: JSONValue {
        [
            "rates": .array(rates.map { ["fault": $0.fault.json, "probability": .double($0.probability)] }),
            "latency": latency.json, "go_away_every": goAwayEvery.map { .int(Int64($0)) } ?? .null,
            "go_away_reason": goAwayReason.map { .string($0.rawValue) } ?? .null,
            "limits_streams_after_rejection": .bool(limitsStreamsAfterRejection),
            "patience": patience.map {
                ["slow_after": .int(Int64($0.slowAfter)), "close_after": .int(Int64($0.closeAfter))]
            } ?? .null,
            "clock_skew_seconds": .int(clockSkew.wholeMilliseconds / 1000),
        ]
    }
}
