import CarillonCore
import CarillonSimulator
import Foundation

extension SenderSituation {
    private static let sending =
        "https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns"
    private static let responses =
        "https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns"
    private static let tokens =
        "https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns"
    private static let payloads =
        "https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification"
    private static let certificates =
        "https://developer.apple.com/documentation/usernotifications/establishing-a-certificate-based-connection-to-apns"
    private static let retryAfterSeconds = 3
    private static let http2 = "https://www.rfc-editor.org/rfc/rfc9113"

    /// All situations, in the order in which they are played.
    static let all: [SenderSituation] = ordinary + refusals + failures + connections

    private static let ordinary = [
        SenderSituation(
            "plain", "APNs takes the push", demand: "apns-push-type, apns-topic and a payload that the rules allow",
            source: sending
        ) { seen in
            let request = seen.requests.first
            var findings = seen.findingsUnlessEachArrivedOnce
            if request?.header("apns-push-type") == nil { findings.append("apns-push-type is missing") }
            if case .rejected(let rejection) = request?.decision {
                findings.append("APNs refused it: \(rejection.reason.rawValue) (\(rejection.detail))")
            }
            return findings + (request?.notes ?? []).filter { !$0.contains("apns-push-type") }
        },
        SenderSituation(
            "one-connection", "APNs takes five pushes", demand: "keep the connection open for further pushes",
            source: sending, deviceCount: 5
        ) { seen in
            seen.findingsUnlessEachArrivedOnce
                + (seen.connectionCount >= seen.tokens.count
                    ? ["it opened \(seen.connectionCount) connections for \(seen.tokens.count) pushes"] : [])
        },
        SenderSituation(
            "one-stream", "APNs allows one request at a time", demand: "wait until a stream is free",
            source: "\(http2)#section-5.1.2", deviceCount: 5, configure: { $0.concurrentStreams = 1 }
        ) { $0.findingsUnlessEachArrivedOnce },
        SenderSituation(
            "one-provider-token", "APNs takes five pushes with provider tokens",
            demand: "use a provider token for 20 minutes at least, and sign none for each push", source: tokens,
            deviceCount: 5
        ) { seen in
            let refused = seen.requests.count { request in
                if case .rejected(let rejection) = request.decision {
                    rejection.reason == .tooManyProviderTokenUpdates
                } else {
                    false
                }
            }
            return seen.findingsUnlessEachArrivedOnce
                + (refused > 0 ? ["it signed a provider token for each push: TooManyProviderTokenUpdates"] : [])
        },
        SenderSituation(
            "own-ids", "APNs takes five pushes, and tells them apart by apns-id",
            demand: "give each push an apns-id of its own, or none", source: sending, deviceCount: 5
        ) { seen in
            let ids = seen.requests.compactMap { $0.header("apns-id") }
            return seen.findingsUnlessEachArrivedOnce
                + (Set(ids).count < ids.count ? ["several pushes have one apns-id"] : [])
        },
        SenderSituation(
            "long-token", "A device token has 100 bytes", demand: "do not assume the length of a device token",
            source: sending, configure: { $0.deviceTokenByteCount = 100 }
        ) { $0.findingsUnlessEachArrivedOnce },
        SenderSituation(
            "largest-payload", "The payload has 4096 bytes, the most that APNs takes",
            demand: "send it as it is: blanks and escapes that a library adds make it too large", source: payloads,
            payload: largestPayload,
            obstacle: { seen in
                let isAsked = seen.requests.isEmpty || seen.requests.contains { $0.payload.count > 2000 }
                return isAsked ? nil : "the command sends a payload of its own in the place of $APNS_PAYLOAD"
            }
        ) { seen in
            let sizes = Set(seen.requests.map(\.payload.count)).subtracting([largestPayload.utf8.count]).sorted()
            return seen.findingsUnlessEachArrivedOnce + sizes.map { "it made \($0) bytes of the 4096" }
        },
        SenderSituation(
            "slow-answer", "An answer takes three seconds", demand: "wait for it, and send nothing twice",
            source: responses,
            prepare: { simulator, _ in
                var plan = FaultPlan()
                plan.latency = .constant(.seconds(3))
                simulator.faults.plan = plan
            }
        ) { $0.findingsUnlessEachArrivedOnce },
    ]

    private static let refusals = [
        SenderSituation(
            "unregistered", "The app was deleted: 410 Unregistered", demand: "stop sending to this token",
            source: responses,
            prepare: { simulator, tokens in tokens.forEach { simulator.devices.invalidate($0.data) } }
        ) { seen in seen.findingsIfSentAgain },
        SenderSituation(
            "bad-token", "400 BadDeviceToken", demand: "do not send the same request again", source: responses,
            prepare: refusing(.badDeviceToken)
        ) { seen in seen.findingsIfSentAgain },
        SenderSituation(
            "sandbox-token", "A device token of the sandbox is sent to production: 400 BadDeviceToken",
            demand: "do not send the same request again: this host will never know the token", source: responses,
            tokenEnvironment: .sandbox, configure: { $0.environment = .production }
        ) { seen in seen.findingsIfSentAgain + seen.findingsIfSuccessIsReported },
        SenderSituation(
            "sandbox-key", "The key is for the other environment: 403 BadEnvironmentKeyInToken, for every request",
            demand: "stop: more requests with the same key change nothing", source: responses,
            prepare: { simulator, _ in simulator.faults.plan = always(.reject(.badEnvironmentKeyInToken)) }
        ) { $0.findingsIfStorm + $0.findingsIfSuccessIsReported },
        SenderSituation(
            "wrong-topic", "400 DeviceTokenNotForTopic", demand: "do not send the same request again",
            source: responses, prepare: refusing(.deviceTokenNotForTopic)
        ) { seen in seen.findingsIfSentAgain },
        SenderSituation(
            "too-large", "413 PayloadTooLarge", demand: "do not send the same request again", source: responses,
            prepare: refusing(.payloadTooLarge)
        ) { seen in seen.findingsIfSentAgain },
        SenderSituation(
            "expired-token", "410 ExpiredToken", demand: "stop sending to this token", source: responses,
            prepare: refusing(.expiredToken)
        ) { seen in seen.findingsIfSentAgain },
        SenderSituation(
            "new-reason", "400 with a reason that Apple may add later",
            demand: "go by the status: do not send the same request again", source: responses,
            prepare: { simulator, _ in
                simulator.faults.plan = always(.answer(status: 400, body: #"{"reason":"AddedLater"}"#))
            }
        ) { seen in seen.findingsIfSentAgain + seen.findingsUnlessEnded + seen.findingsIfSuccessIsReported },
        SenderSituation(
            "expired-provider-token", "403 ExpiredProviderToken, once",
            demand: "sign a new provider token, and send the push again", source: tokens,
            prepare: once(.reject(.expiredProviderToken))
        ) { $0.findingsUnlessEachArrivedOnce },
        SenderSituation(
            "refused-key", "403 InvalidProviderToken, for every request",
            demand: "stop: more requests with the same key change nothing", source: responses,
            prepare: { simulator, _ in simulator.faults.plan = always(.reject(.invalidProviderToken)) }
        ) { $0.findingsIfStorm },
        SenderSituation(
            "too-many-requests", "429 TooManyRequests, once", demand: "send the push again, later", source: responses,
            prepare: once(.reject(.tooManyRequests))
        ) { $0.findingsUnlessEachArrivedOnce },
        SenderSituation(
            "last-day", "The client certificate ends within an hour", demand: "send with it until its end",
            source: certificates, certificateLife: .seconds(3600), obstacle: withoutCertificate
        ) { $0.findingsUnlessEachArrivedOnce },
        SenderSituation(
            "ended-certificate", "The client certificate has ended: 403 BadCertificate",
            demand: "stop, and report it: only another certificate helps", source: responses,
            certificateLife: .seconds(-3600), obstacle: withoutCertificate
        ) { $0.findingsIfStorm + $0.findingsIfSuccessIsReported },
    ]

    private static let failures = [
        SenderSituation(
            "internal-error", "500 InternalServerError, once", demand: "send the push again", source: responses,
            prepare: once(.reject(.internalServerError))
        ) { $0.findingsUnlessEachArrivedOnce },
        SenderSituation(
            "unavailable", "503 ServiceUnavailable, once", demand: "send the push again, later", source: responses,
            prepare: once(.reject(.serviceUnavailable))
        ) { $0.findingsUnlessEachArrivedOnce },
        pause("retry-after", 503, "ServiceUnavailable"),
        pause("retry-after-429", 429, "TooManyRequests"),
        pause("retry-after-500", 500, "InternalServerError"),
        SenderSituation(
            "shutdown", "503 Shutdown, once", demand: "send the push again, later", source: responses,
            prepare: once(.reject(.shutdown))
        ) { $0.findingsUnlessEachArrivedOnce },
        SenderSituation(
            "no-body", "500 without a body, once", demand: "go by the status: send the push again", source: responses,
            prepare: once(.answer(status: 500, body: ""))
        ) { $0.findingsUnlessEachArrivedOnce },
        SenderSituation(
            "outage", "503 ServiceUnavailable, for every request",
            demand: "try again with growing pauses, and report the failure", source: responses,
            prepare: { simulator, _ in simulator.faults.plan = always(.reject(.serviceUnavailable)) }
        ) { seen in
            seen.findingsIfStorm + seen.findingsIfSuccessIsReported
        },
        SenderSituation(
            "not-json", "502 with a page of HTML, once, as a proxy sends it",
            demand: "take it for a failure that passes", source: responses,
            prepare: once(.answer(status: 502, body: "<html><body>Bad Gateway</body></html>"))
        ) { $0.findingsUnlessEachArrivedOnce },
        SenderSituation(
            "lost-answer", "APNs takes the push, and its answer is lost",
            demand: "stop waiting at some time; if the push is sent again, with the same apns-id", source: sending,
            prepare: once(.loseAnswer)
        ) { seen in
            let ids = Set(seen.requests.map { $0.header("apns-id") })
            let isRepeatedAsAnother = seen.requests.count > 1 && (ids.count > 1 || ids.contains(nil))
            return seen.findingsUnlessEnded
                + (isRepeatedAsAnother ? ["it sent the push again, with another apns-id or with none"] : [])
        },
    ]

    private static let connections = [
        SenderSituation(
            "tls-1.2", "APNs speaks TLS 1.2 and nothing newer", demand: "offer TLS 1.2 as well", source: sending,
            configure: { $0.isTLS12Only = true }
        ) { $0.findingsUnlessEachArrivedOnce },
        SenderSituation(
            "ipv6", "APNs has an IPv6 address only", demand: "connect over IPv6: networks without IPv4 are in use",
            source: "https://www.rfc-editor.org/rfc/rfc6540", needsIPv6: true, configure: { $0.host = "::1" }
        ) { $0.findingsUnlessEachArrivedOnce },
        SenderSituation(
            "refused-stream", "APNs refuses a stream (REFUSED_STREAM), once",
            demand: "send the push again: it was not processed", source: "\(http2)#section-8.7",
            prepare: once(.reset(code: 7))
        ) { $0.findingsUnlessEachArrivedOnce },
        SenderSituation(
            "goaway", "APNs says GOAWAY after every request, as in maintenance",
            demand: "open another connection, and send again what was not processed", source: "\(http2)#section-6.8",
            deviceCount: 5,
            prepare: { simulator, _ in
                var plan = FaultPlan()
                plan.goAwayEvery = 1
                simulator.faults.plan = plan
            }
        ) { $0.findingsUnlessEachArrivedOnce },
        SenderSituation(
            "goaway-before", "APNs says GOAWAY before it has processed what it was sent, twice",
            demand: "send everything again that the last stream does not include: it was not processed",
            source: "\(http2)#section-6.8", deviceCount: 5,
            // The second GOAWAY comes when a sender may have several requests under way.
            prepare: { simulator, _ in simulator.faults.script([.goAway, nil, .goAway]) }
        ) { $0.findingsUnlessEachArrivedOnce },
        SenderSituation(
            "cut-connection", "The connection is cut in the middle of a request, once",
            demand: "open another connection, and send the push again or report the failure", source: sending,
            prepare: once(.cut)
        ) { seen in
            let hasReported = ![.exited(0), .ranOutOfTime].contains(seen.ending)
            return hasReported ? [] : seen.findingsUnlessEachArrivedOnce
        },
        SenderSituation(
            "dead-connection", "After the first push the connection is dead, and nothing says so (a router forgot it)",
            demand:
                "notice it by a PING or a time limit, and send the push again over another connection, or report it",
            source: "\(http2)#section-6.7", deviceCount: 2,
            prepare: { simulator, tokens in
                if let last = tokens.last { simulator.faults.script([.fallSilent], for: last) }
            }
        ) { seen in
            let hasReported = ![.exited(0), .ranOutOfTime].contains(seen.ending)
            return seen.findingsUnlessEnded + (hasReported ? [] : seen.findingsUnlessEachArrivedOnce)
        },
        SenderSituation(
            "cut-always", "Each connection is cut at its first request",
            demand: "try again with growing pauses: APNs takes connections that come and go quickly for an attack",
            source: sending, prepare: { simulator, _ in simulator.faults.plan = always(.cut) }
        ) { seen in
            seen.findingsIfStorm + seen.findingsIfSuccessIsReported
        },
    ]

    private static let largestPayload: String = {
        let (begin, end) = (#"{"aps":{"alert":""#, #""}}"#)
        return begin + String(repeating: "x", count: 4096 - begin.utf8.count - end.utf8.count) + end
    }()

    /// The obstacle of a sender that knows no client certificates.
    private static let withoutCertificate: @Sendable (SenderObservation) -> String? = { seen in
        seen.knowsCertificates ? nil : "without $APNS_KEY the command sends nothing with $APNS_CERTIFICATE"
    }

    /// Makes the situation of an answer with `Retry-After`, once.
    private static func pause(_ name: String, _ status: Int, _ reason: String) -> SenderSituation {
        SenderSituation(
            name, "\(status) with Retry-After: \(retryAfterSeconds), once",
            demand: "wait that long, then send the push again",
            source: "https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3",
            prepare: once(
                .answer(
                    status: status, body: #"{"reason":"\#(reason)"}"#, retryAfter: .seconds(retryAfterSeconds)))
        ) { seen in
            let pause = seen.moments.count > 1 ? seen.moments[1] - seen.moments[0] : nil
            // The answer travels to the sender before the sender's time begins.
            let isHasty = pause.map { $0 < .seconds(retryAfterSeconds) } ?? false
            return seen.findingsUnlessEachArrivedOnce
                + (isHasty ? ["it sent the push again before the \(retryAfterSeconds) seconds of Retry-After"] : [])
        }
    }

    /// Prepares a refusal of every request to each token.
    private static func refusing(_ reason: RejectionReason) -> @Sendable (APNsSimulator, [DeviceToken]) -> Void {
        { simulator, tokens in
            tokens.forEach { simulator.faults.script(Array(repeating: .reject(reason), count: 50), for: $0) }
        }
    }

    /// Prepares a fault for the first request to each token; the requests after it pass.
    private static func once(_ fault: Fault) -> @Sendable (APNsSimulator, [DeviceToken]) -> Void {
        { simulator, tokens in tokens.forEach { simulator.faults.script([fault], for: $0) } }
    }

    private static func always(_ fault: Fault) -> FaultPlan {
        var plan = FaultPlan()
        plan.rates = [FaultPlan.Rate(fault, probability: 1)]
        return plan
    }
}

extension SenderObservation {
    fileprivate var findingsIfSentAgain: [String] {
        let count = tokens.map { requests(to: $0).count }.max() ?? 0
        return count > 1 ? ["it sent \(count) requests for this token"] : []
    }

    fileprivate var findingsIfStorm: [String] {
        // So many requests or connections for one push, within the situation's time, are no storm yet.
        let limit = 20
        var findings: [String] = []
        if requests.count > limit { findings.append("it sent \(requests.count) requests for one push") }
        if connectionCount > limit { findings.append("it opened \(connectionCount) connections for one push") }
        return findings
    }
}
