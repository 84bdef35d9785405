import CarillonCore
import Foundation

/// The answers of a recording, as a simulator gives them again.
extension APNsRecording {
    /// The topics of the recorded requests, without the suffixes of push types.
    package var topics: Set<String> {
        Set(
            exchanges.compactMap { exchange in
                guard let topic = exchange.header("apns-topic") else { return nil }
                let suffix =
                    exchange.header("apns-push-type").flatMap(PushType.init(rawValue:))?.rule.topicSuffix ?? ""
                return topic.hasSuffix(suffix) ? String(topic.dropLast(suffix.count)) : topic
            })
    }

    /// Gives the recorded device tokens to devices of a simulator, and scripts the recorded answers for them.
    ///
    /// The n-th request for a token gets its n-th answer, after the recorded time. Where APNs took the push, the simulator makes its
    /// own checks. Devices are named `recorded-1`, `recorded-2` and so on, and are online.
    ///
    /// - Returns: the tokens by topic, in the order of their first requests.
    package func replay(on simulator: APNsSimulator) -> [String: [String]] {
        var tokens: [String: [String]] = [:]
        var known: Set<DeviceToken> = []
        let topic = simulator.topics.sorted().first ?? ""
        for (exchange, goAway) in withGoAways {
            guard let token = exchange.token.flatMap({ DeviceToken(hex: $0) }) else { continue }
            if known.insert(token).inserted {
                let owner = simulator.topics.first { exchange.header("apns-topic")?.hasPrefix($0) == true } ?? topic
                let device = "recorded-\(known.count)"
                _ = simulator.devices.issueToken(
                    device: device, topic: owner, environment: simulator.environment, earlier: token.data)
                simulator.devices.connect(device: device) { _ in }
                tokens[owner, default: []].append(token.hex)
            }
            simulator.faults.script(
                [ScriptedAnswer(fault: exchange.fault, delay: exchange.after, goAway: goAway)], for: token)
        }
        return tokens
    }

    /// The exchanges in the order of their requests, each with the GOAWAY that came on its connection before the next request.
    private var withGoAways: [(Exchange, ScriptedAnswer.GoAway?)] {
        var exchanges = exchanges.map { ($0, nil as ScriptedAnswer.GoAway?) }
        for goAway in goAways {
            let last = exchanges.lastIndex { $0.0.connection == goAway.connection && $0.0.at <= goAway.at }
            if let last {
                exchanges[last].1 = .init(reason: goAway.reason.flatMap(RejectionReason.init(rawValue:)))
            }
        }
        return exchanges
    }
}

extension APNsRecording.Exchange {
    fileprivate func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The recorded end as a fault; `nil` if APNs took the push.
    fileprivate var fault: Fault? {
        switch ending {
        case .answered(200, _, _): nil
        case .answered(let status, let headers, let body):
            body.firstRange(of: #""ExpiredProviderToken""#) != nil
                // This fault also ends the token's time, so that a sender which signs no new one fails as it did.
                ? .reject(.expiredProviderToken)
                : .answer(
                    status: status, body: body,
                    retryAfter: headers.first { $0.name == "retry-after" }.flatMap { Int($0.value) }.map {
                        .seconds(max(0, $0))
                    })
        case .reset(let code): .reset(code: code)
        case .cut: .cut
        case .abandoned: .loseRequest
        }
    }
}
