import CarillonCore
import CarillonSimulator

/// httpx, h2 and PyJWT as a sender: a table of cases goes out in one go, each over a connection of its own.
struct ForeignSender {
    struct Request {
        var method = "POST"
        var path: String
        /// In this order; a name may come twice.
        var headers: [(String, String)] = []
        var body = #"{"aps":{"alert":"Hello"}}"#
        /// Deviations from a good token, see table.py; `nil` sends no authorization.
        var token: JSONValue? = [:]

        /// An acceptable alert; `replacing` exchanges or (`nil`) removes headers.
        static func alert(
            to token: DeviceToken, replacing: [String: String?] = [:], body: String? = nil, auth: JSONValue? = [:]
        ) -> Request {
            var headers: [String: String?] = ["apns-topic": SimulatorFixture.bundleID, "apns-push-type": "alert"]
            headers.merge(replacing) { $1 }
            var request = Request(path: "/3/device/\(token.hex)", token: auth)
            request.headers = headers.sorted { $0.key < $1.key }.compactMap { name, value in
                value.map { (name, $0) }
            }
            if let body { request.body = body }
            return request
        }

        var json: JSONValue {
            var members: [String: JSONValue] = [
                "method": .string(method), "path": .string(path), "body": .string(body),
                "headers": .array(headers.map { [.string($0.0), .string($0.1)] }),
            ]
            members["token"] = token
            return .object(members)
        }
    }

    struct Answer {
        var status: Int
        var headers: [String: String]
        var body: String
        /// The client's error if there was no answer.
        var error: String?

        var reason: String? { (try? JSONValue(parsing: body))?["reason"]?.stringValue }
        var timestamp: Int? { (try? JSONValue(parsing: body))?["timestamp"]?.intValue }
    }

    var fixture: SimulatorFixture
    var threads = 4
    /// The address to connect to; `nil` for the simulator's own.
    var host: String?
    /// The port to connect to; `nil` for the simulator's first.
    var port: Int?

    /// - Returns: the answers to the requests of each case.
    func send(_ cases: [[Request]], setups: [Int: JSONValue] = [:]) async throws -> [[Answer]] {
        let input: JSONValue = [
            "host": .string(host ?? fixture.simulator.host), "port": .int(Int64(port ?? fixture.simulator.port)),
            "ca": .string(fixture.simulator.caCertificatePEM), "key": .string(fixture.simulator.signingKeyPEM),
            "key_id": .string(fixture.simulator.keyID), "team_id": .string(fixture.simulator.teamID),
            "now": .int(fixture.clock.now.secondsSince1970), "threads": .int(Int64(threads)),
            "cases": .array(
                cases.enumerated().map { index, requests in
                    [
                        "name": .string("\(index)"), "requests": .array(requests.map(\.json)),
                        "setup": setups[index] ?? [:],
                    ]
                }),
        ]
        let output = try await ForeignProgram.python("table.py", input: input)
        return (output.arrayValue ?? []).map { result in
            (result["answers"]?.arrayValue ?? []).map(Self.answer)
        }
    }

    /// The value of an authorization header, signed by PyJWT.
    func bearer() async throws -> String {
        let input: JSONValue = [
            "key": .string(fixture.simulator.signingKeyPEM), "key_id": .string(fixture.simulator.keyID),
            "team_id": .string(fixture.simulator.teamID), "now": .int(fixture.clock.now.secondsSince1970),
        ]
        return "bearer \(try await ForeignProgram.python("sign_token.py", input: input).stringValue ?? "")"
    }

    func send(_ requests: [Request]) async throws -> [Answer] {
        try await send([requests]).first ?? []
    }

    private static func answer(_ json: JSONValue) -> Answer {
        Answer(
            status: json["status"]?.intValue ?? 0,
            headers: (json["headers"]?.objectValue ?? [:]).compactMapValues(\.stringValue),
            body: json["body"]?.stringValue ?? "", error: json["error"]?.stringValue)
    }
}
