import CarillonCore
import HTTPTypes
import Hummingbird

/// gorush's route `POST /api/push`.
struct GorushRoutes {
    let service: ServiceContext
    let sender: DoorSender

    /// gorush's answer to a push.
    struct Answer: Encodable {
        /// A token that is not sent to.
        struct Log: Encodable {
            var type = "failed-push"
            var platform: String
            var token: String
            var message: String
            var error: String
        }

        var success = "ok"
        /// The number of tokens in the call, those of the failed ones included.
        var counts: Int
        var logs: [Log]
        /// The ids of the messages, by which Carillon's own calls ask for them or recall them; gorush has none.
        var ids: [MessageID]
    }

    /// gorush's answer to a call that it refuses.
    struct Refusal: Encodable {
        var code: Int
        var message: String
    }

    func add(to router: Router<ServiceRequestContext>) {
        router.post("/api/push") { request, _ in
            try await DoorRefusal.answering {
                try await push(DoorCredential.asBearer(request))
            } as: { code, why in
                Refusal(code: code, message: why)
            }
        }
    }

    private func push(_ request: Request) async throws -> Response {
        let key = try await service.callers.key(request, may: .send)
        let notifications = try GorushNotification.all(try await JSONBody.object(request), at: service.clock.now)
        // All are checked before the first is accepted, so that a call with a mistake sends nothing.
        for send in notifications.compactMap(\.send) { try sender.check(send, by: key) }
        var answer = Answer(counts: 0, logs: [], ids: [])
        var ignored: Set<String> = []
        for notification in notifications {
            answer.counts += notification.tokens.count
            guard let send = notification.send else {
                answer.logs += notification.logs(of: notification.tokens.map { ($0, "Carillon sends to iPhones only") })
                continue
            }
            ignored.formUnion(send.ignored)
            let outcome = try await sender.send(send, by: key)
            answer.logs += notification.logs(of: outcome.failures.map { ($0.token, $0.reason) })
            if let id = outcome.id { answer.ids.append(id) }
        }
        return try JSONBody.answer(answer).naming(ignored: ignored)
    }
}

extension GorushNotification {
    fileprivate func logs(of failures: [(token: String, error: String)]) -> [GorushRoutes.Answer.Log] {
        failures.map {
            GorushRoutes.Answer.Log(platform: platform, token: $0.token, message: text, error: $0.error)
        }
    }
}
