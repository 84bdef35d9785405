import CarillonAPNs
import CarillonCore
import CarillonPage
import CarillonServer
import CarillonSimulator
import CommandSupport
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// The HTTP routes of the page, the phones, the event stream, and pushes directly to APNs.
struct PageRoutes: Sendable {
    let stack: LocalStack
    let phoneHost: PhoneHost

    /// The JSON of the forms' presets; its member `scenes` has the guided scenes, so that the page loads both with one request.
    private static let presets =
        PackageResources.presets_json.prefix { $0 != UInt8(ascii: "{") } + Array("{\"scenes\":".utf8)
        + PackageResources.scenes_json + Array(",".utf8)
        + PackageResources.presets_json.drop { $0 != UInt8(ascii: "{") }.dropFirst()

    func add(to router: Router<ServiceRequestContext>) {
        WebPage.phones(typeface: PhoneTypeface()).addRoutes(to: router)
        let presets = ServedFile(PageFile("presets.json", Self.presets))
        let page = router.group().add(middleware: PageGuard())
        page.get("/phones") { _, _ in try Self.answer(setup()) }
        // Chime on the phones requests this, not the page.
        router.get("/podcasts.json") { _, _ in try Self.answer(stack.episodes.list) }
        page.get("/presets") { request, _ in presets.response(to: request.headers) }
        page.post("/reset") { _, _ in
            try await refusing {
                try await DemoReset(stack: stack, phoneHost: phoneHost).run()
                return Response(status: .noContent)
            }
        }
        page.post("/measure") { request, _ in
            try await refusing {
                let message = try await Self.body(of: request)
                return try Self.answer(MessageMeasure(of: message, for: stack.app, at: stack.clock.now))
            }
        }
        page.post("/episodes") { request, _ in try await refusing { try await addEpisode(request) } }
        page.get("/pushes") { _, _ in try Self.answer(await histories()) }
        page.get("/phones/{id}/attachments/{notification}") { _, context in
            try await refusing { try await attachment(context) }
        }
        page.get("/events") { _, _ in try stream() }
        page.post("/phones/{id}/{command}") { request, context in
            try await refusing { try await press(request, context) }
        }
        page.post("/validate") { request, _ in try await refusing { try await validate(request) } }
        page.post("/apns") { request, _ in try await refusing { try await changeAPNs(request) } }
        page.post("/push") { request, _ in try await refusing { try await push(request) } }
    }

    private func setup() -> PageSetup {
        PageSetup(
            names: stack.directory.entries.map { [$0.id, $0.name] }, phones: stack.pageState.phones,
            user: LocalStack.user, topic: LocalStack.topic,
            categories: PageSetup.chimeCategories, apps: PageSetup.apps, pushOptions: stack.pushOptions,
            expiry: stack.simulator.devices.rules.expiry.rawValue,
            apiKey: stack.apiKey)
    }

    private func addEpisode(_ request: Request) async throws -> Response {
        try Self.answer(try stack.episodes.add(try await Self.body(of: request)))
    }

    /// Changes how the simulated APNs treats a push that has expired while the phone was offline.
    private func changeAPNs(_ request: Request) async throws -> Response {
        let body = try await Self.body(of: request)
        guard let expiry = body["expiry"]?.stringValue.flatMap(DeliveryRules.Expiry.init(rawValue:)) else {
            throw PageProblem(422, "A value cannot be accepted", "expiry is strict or late")
        }
        stack.simulator.devices.rules.expiry = expiry
        return Response(status: .noContent)
    }

    private func histories() async -> [PushHistory] {
        var histories: [PushHistory] = []
        for entry in stack.directory.entries {
            guard let phone = phoneHost.phone(entry.id) else { continue }
            var history = await phone.history
            history.undelivered = stack.pageState.withIndex { $0.undelivered(on: entry.id) }
            histories.append(history)
        }
        return histories
    }

    private func stream() throws -> Response {
        guard let events = stack.pageState.subscribe() else {
            return try PageProblem(503, "Too many pages", "Close another page of carillon up.").response()
        }
        let body = ResponseBody { writer in
            for await event in events.cancelOnGracefulShutdown() { try await writer.write(event.bytes) }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
    }

    private func attachment(_ context: ServiceRequestContext) async throws -> Response {
        let phone = phoneHost.phone(try context.parameters.require("id"))
        let id = try context.parameters.require("notification").removingPercentEncoding
        guard let file = await phone?.attachment(of: id ?? ""), let data = try? Data(contentsOf: file.url) else {
            throw PageProblem(404, "No attachment", "No such notification with an attachment is on this phone.")
        }
        return Response(
            status: .ok,
            headers: [.contentType: file.mediaType, .cacheControl: "no-store", .xContentTypeOptions: "nosniff"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    private func press(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let id = try context.parameters.require("id")
        guard let phone = phoneHost.phone(id) else {
            throw PageProblem(404, "No such phone", "There is no phone \(id).")
        }
        try await phone.perform(try context.parameters.require("command"), try await Self.body(of: request))
        return Response(status: .noContent)
    }

    private func validate(_ request: Request) async throws -> Response {
        try Self.answer(PayloadCheck(try await Self.body(of: request)).explanation)
    }

    private func push(_ request: Request) async throws -> Response {
        let push = try RawPush(
            try await Self.body(of: request), now: stack.clock.now, tokensOf: stack.directory.tokens(of:))
        let topic = push.topic ?? push.phone.flatMap(stack.directory.topic(of:)) ?? LocalStack.topic
        let client =
            switch push.credential {
            case .key: stack.apns
            case .certificate: try await stack.certificates.client(for: push.certificate ?? topic)
            }
        let report: PushReport
        do {
            report = PushReport(try await client.send(push.notification(topic: topic, apnsID: UUID())))
        } catch {
            report = PushReport(error)
        }
        return Self.response(Data(try report.printed(asJSON: true).utf8))
    }

    // MARK: - JSON

    private static func body(of request: Request) async throws -> JSONValue {
        var request = request
        let buffer = try await request.collectBody(upTo: PhonesLimits.pageBodyBytes)
        guard buffer.readableBytes > 0 else { return [:] }
        do {
            return try JSONValue(parsing: Data(buffer.readableBytesView))
        } catch {
            throw PageProblem(400, "Not JSON", "\(error)")
        }
    }

    private static func answer(_ value: some Encodable) throws -> Response {
        response(try CarillonJSON.encode(value))
    }

    private static func response(_ json: Data) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }

    private func refusing(_ body: () async throws -> Response) async throws -> Response {
        do {
            return try await body()
        } catch let problem as PageProblem {
            return try problem.response()
        }
    }
}
