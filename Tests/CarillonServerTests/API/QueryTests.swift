import CarillonCore
import Foundation
import Hummingbird
import Testing

@testable import CarillonServer

@Suite("A query has only parameters that its route takes", .timeLimit(.minutes(3)))
struct QueryTests {
    private static let title: JSONValue = "The query is not understood"

    private static func path(_ template: String, _ query: String) -> String {
        "\(template.replacing("{id}", with: "x"))?\(query)"
    }

    @Test("an unknown parameter is refused on every route, with its name and the known ones")
    func everyRoute() async throws {
        try await RunningService.run(roles: [.api]) { service in
            let routes = try OpenAPIDocument.queryParameters()
            #expect(routes.count > 30 && routes["GET /v1/notifications/{id}/timeline"] == ["after", "topic"])
            for (route, known) in routes {
                let words = route.split(separator: " ")
                let path = Self.path(String(words[1]), "nonsense=secret")
                let answer = try await service.call(String(words[0]), path)
                #expect(answer.status == 400 && answer.json["title"] == Self.title, "\(route): \(answer.status)")
                let detail = answer.json["detail"]?.stringValue ?? ""
                let list = known.isEmpty ? "takes no parameters" : "Known are \(known.joined(separator: ", "))"
                #expect(detail.hasPrefix("nonsense is not known here") && detail.hasSuffix(list), "\(route): \(detail)")
                #expect(!detail.contains("secret"))
            }
        }
    }

    @Test("a misspelled parameter gets the right one; one that is given twice is found")
    func misspelled() async throws {
        try await RunningService.run(roles: [.api]) { service in
            for (query, detail) in [
                ("afer=d", "afer is not known here; did you mean after? Known are after, topic"),
                ("topic=\(topic)&after=d&after=e", "after is given more than once"),
                ("Topic=\(topic)", "Topic is not known here; did you mean topic? Known are after, topic"),
                ("%00=", "%00 is not known here; Known are after, topic"),
            ] {
                let answer = try await service.call("GET", "/v1/notifications/m/timeline?\(query)")
                #expect(answer.status == 400 && answer.json["detail"] == .string(detail), "\(query): \(answer.json)")
            }
            // No route reads an escaped name, so none is taken.
            let escaped = try await service.call("GET", "/v1/notifications/m/timeline?afte%72=d")
            #expect(escaped.json["detail"]?.stringValue?.hasPrefix("afte%72 is not known here") == true)
            let long = String(repeating: "a", count: 4000)
            let answer = try await service.call("GET", "/v1/app?\(long)=1")
            #expect(answer.status == 400 && answer.data.count < 400)
        }
    }

    @Test("the parameters that a route takes pass, and so does a question mark alone")
    func known() async throws {
        try await RunningService.run(roles: [.api]) { service in
            for (method, path, status) in [
                ("GET", "/v1/app?topic=\(topic)", 200), ("GET", "/v1/app?", 200), ("HEAD", "/healthz?", 200),
                ("HEAD", "/v1/app?topic=\(topic)", 200), ("HEAD", "/v1/app?nonsense", 400),
                ("POST", "/v1/devices/import?topic=\(topic)&environment=sandbox&after_line=0", 200),
                ("GET", "/nowhere?nonsense=1", 404), ("PUT", "/v1/app?nonsense=1", 405),
            ] {
                let answer = try await service.call(
                    method, path, raw: method == "POST" ? Data() : nil,
                    headers: ["Content-Type": "application/x-ndjson"])
                #expect(answer.status == status, "\(method) \(path): \(answer.status)")
            }
        }
    }

    @Test("a web page's files take any query")
    func page() async throws {
        try await RunningService.run(
            routes: { $0.addRoutes { router in router.get("/page") { _, _ in "page" } } },
            { service in
                let answer = try await service.call("GET", "/page?v=1", auth: "")
                #expect(answer.status == 200)
            })
    }
}
