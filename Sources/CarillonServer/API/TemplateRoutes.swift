import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The routes of `/v1/templates`: named messages with versions, which requests to send can name.
struct TemplateRoutes {
    let service: ServiceContext
    let templates: TemplateCalls
    let devices: DeviceCalls

    func add(to router: Router<ServiceRequestContext>) {
        router.get("/v1/templates") { request, _ in try await list(request) }
        router.get("/v1/templates/{name}") { request, context in try await show(request, context) }
        router.put("/v1/templates/{name}") { request, context in try await store(request, context) }
        router.delete("/v1/templates/{name}") { request, context in
            let caller = try await service.callers.backend(request, may: .admin)
            let name = try Self.name(context)
            guard try await templates.delete(name, of: caller.app, by: caller.actor, at: service.clock.now) else {
                throw Problem.noSuchTemplate(name)
            }
            context.logger.notice("a template was deleted", metadata: ["app": "\(caller.app.topic)"])
            return Response(status: .noContent)
        }
        router.get("/v1/templates/{name}/versions") { request, context in try await versions(request, context) }
        router.post("/v1/templates/{name}/revert") { request, context in try await revert(request, context) }
        router.post("/v1/templates/{name}/render") { request, context in try await render(request, context) }
    }

    private static func name(_ context: ServiceRequestContext) throws -> String {
        let name = try context.parameters.require("name")
        guard CampaignName.isValid(name) else { throw Problem.noSuchTemplate(name) }
        return name
    }

    // MARK: Reading

    private func list(_ request: Request) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .read)
        let query = ListQuery(request)
        let after = try query.text("after", atMost: CampaignName.byteLimit) ?? ""
        let limit = try query.limit()
        let found = try await templates.list(of: caller.app, after: after, limit: limit + 1)
        let page = found.prefix(limit)
        return try JSONBody.answer(
            ListAnswer(
                templates: page.map { TemplateAnswer($0, hasMessage: false) },
                next: found.count > limit ? page.last?.name : nil))
    }

    private func show(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .read)
        let name = try Self.name(context)
        let version = try Self.version(request)
        guard let template = try await templates.template(name, of: caller.app, version: version) else {
            throw Problem.noSuchTemplate(name)
        }
        return try JSONBody.answer(TemplateAnswer(template), tag: template.tag)
    }

    private static func version(_ request: Request) throws(Problem) -> Int? {
        guard let text = request.uri.queryParameters.get("version") else { return nil }
        guard let version = Int(text), (1...StoreLimits.latestTemplateVersion).contains(version) else {
            throw .query("version must be a whole number from 1 on")
        }
        return version
    }

    private func versions(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .read)
        let name = try Self.name(context)
        let versions = try await templates.versions(name, of: caller.app)
        guard !versions.isEmpty else { throw Problem.noSuchTemplate(name) }
        return try JSONBody.answer(
            VersionsAnswer(name: name, versions: versions.map { TemplateAnswer($0, hasMessage: false) }))
    }

    // MARK: Changing

    private func store(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .admin)
        let name = try Self.name(context)
        let body = try await JSONBody.object(request)
        try Self.check(body, by: caller.key, for: caller.app, at: service.clock.now)
        return try await store(name, body.rest, request, caller, context.logger)
    }

    private func revert(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .admin)
        let name = try Self.name(context)
        var body = try await JSONBody.object(request)
        let version = try body.takeCount("version", atMost: StoreLimits.latestTemplateVersion)
        try body.finish()
        guard let version else { throw Problem.invalid("/version", "is missing: the version to return to") }
        guard let former = try await templates.template(name, of: caller.app, version: version) else {
            throw Problem.noSuchTemplate(name)
        }
        return try await store(name, former.message, request, caller, context.logger)
    }

    private func store(
        _ name: String, _ message: JSONObject, _ request: Request, _ caller: CallerAuthentication.Backend,
        _ logger: Logger
    ) async throws -> Response {
        let stored = try await templates.store(
            name, message, of: caller.app, ifMatching: request.headers[.ifMatch].flatMap(EntityTag.listed),
            by: caller.actor, at: service.clock.now)
        switch stored {
        case .stored(let template):
            logger.notice(
                "a template was changed",
                metadata: ["app": "\(caller.app.topic)", "template": "\(name)", "version": "\(template.version)"])
            return try JSONBody.answer(TemplateAnswer(template), tag: template.tag)
        case .unchanged(let template): return try JSONBody.answer(TemplateAnswer(template), tag: template.tag)
        case .areTooMany:
            throw Problem.conflict(
                "too-many-templates",
                "the app has \(StoreLimits.templatesPerApp) templates; delete one that is not used")
        }
    }

    /// The members that a template may have.
    ///
    /// Whom a message is for, its id and its times are the request's.
    private static let members = [
        "payload", "localized", "mode", "campaign", "until", "keep_replies", "dialect", "widgets", "controls",
    ]

    /// Checks that requests which name a template can be accepted.
    ///
    /// - Throws: ``Problem`` for a member that a template cannot have, and for the first fault of a message with it.
    private static func check(
        _ body: ObjectReader, by key: APIKeyRecord, for app: AppReference, at now: Timestamp
    ) throws(Problem) {
        for name in body.rest.keys.sorted() where !members.contains(name) {
            let hint = name.nearest(in: members).map { "did you mean \"\($0)\"? " } ?? ""
            throw .invalid(
                body.pointer(to: String(name.prefix(DeliveryLimits.quotedKeyCharacters))),
                "is not a member of a template; \(hint)It takes \(members.joined(separator: ", ")); the request that names it has the others"
            )
        }
        if let until = body.rest["until"], until != .string(MessageEnd.nowWord) {
            throw .invalid("/until", #"can only be "now" in a template: a time goes with the request"#)
        }
        var names: Set<String> = []
        for name in ["payload", "localized"] {
            try body.rest[name].map { json throws(Problem) in
                try TemplateFilling.names(in: json, at: [name], &names)
            }
        }
        let use = TemplateUse(name: "", values: Dictionary(uniqueKeysWithValues: names.map { ($0, "x") }))
        _ = try trial(of: body.rest, use, by: key, for: app, at: now)
    }

    /// Returns the request that a template makes, as a dry run for a user.
    private static func trial(
        of template: JSONObject, _ use: TemplateUse, by key: APIKeyRecord, for app: AppReference, at now: Timestamp
    ) throws(Problem) -> MessageRequest {
        let own: JSONValue = ["to": ["user": "user"], "topic": .string(app.topic), "dry_run": true]
        let rules = MessageRequest.Rules(
            key: key, topic: nil, now: now, freshID: MessageMeasure.id, idempotencyKey: nil)
        return try MessageRequest(ObjectReader(own, pointer: "").adding(template, use), rules)
    }

    // MARK: Showing

    private func render(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .read)
        let name = try Self.name(context)
        var body = try await JSONBody.objectIfAny(request)
        let values = try body?.takeValues("with") ?? [:]
        let user = try body?.takeString("user")
        let locale = try body?.takeString("language")
        let version = try body?.takeCount("version", atMost: StoreLimits.latestTemplateVersion)
        try body?.finish()
        if let user, !UserID.isValid(user) { throw Problem.invalid("/user", UserID.rule) }
        guard let template = try await templates.template(name, of: caller.app, version: version) else {
            throw Problem.noSuchTemplate(name)
        }
        let trial = try Self.trial(
            of: template.message, TemplateUse(name: name, values: values), by: caller.key, for: caller.app,
            at: service.clock.now)
        let language = trial.message.texts.language(for: try await self.locale(locale, user, of: caller.app))
        let rendered = try trial.rendered(in: language)
        return try JSONBody.answer(
            RenderAnswer(
                name: name, version: template.version, language: language, payload: rendered.payload,
                bytes: rendered.bytes))
    }

    /// Returns the language to show: the one asked for, else that of the user's newest installation.
    private func locale(_ asked: String?, _ user: String?, of app: AppReference) async throws -> String? {
        guard asked == nil, let user else { return asked }
        var filter = DeviceFilter()
        filter.user = user
        let found = try await devices.list(of: app, filter, before: nil, limit: 1, at: service.clock.now)
        guard let device = found.first?.device else {
            throw Problem.invalid("/user", "is signed in on no installation; name a language in its place")
        }
        return device.facts.locale
    }

    // MARK: Answers

    /// A version of a template.
    private struct TemplateAnswer: Encodable {
        var name: String
        var version: Int
        var changedAt: Timestamp
        /// The key or program that has made this version.
        var changedBy: String
        /// The members of the message; absent in lists.
        var message: JSONValue?

        init(_ template: MessageTemplate, hasMessage: Bool = true) {
            (name, version) = (template.name, template.version)
            (changedAt, changedBy) = (template.changed, template.actor)
            message = hasMessage ? .object(template.message) : nil
        }

        enum CodingKeys: String, CodingKey {
            case name, version, message
            case changedAt = "changed_at"
            case changedBy = "changed_by"
        }
    }

    private struct ListAnswer: Encodable {
        var templates: [TemplateAnswer]
        /// The value of `?after=` for the next page; absent on the last page.
        var next: String?
    }

    private struct VersionsAnswer: Encodable {
        var name: String
        var versions: [TemplateAnswer]
    }

    private struct RenderAnswer: Encodable {
        var name: String
        var version: Int
        /// The language of the texts; absent for those of the payload itself.
        var language: String?
        var payload: JSONValue
        /// The size of the largest push in this language, with everything that Carillon adds.
        var bytes: Int?
    }
}

extension Problem {
    fileprivate static func noSuchTemplate(_ name: String) -> Problem {
        Problem(
            .notFound, "no-such-template", "There is no such template",
            "no template has the name \(name.prefix(CampaignName.byteLimit)) and this version; GET /v1/templates lists them"
        )
    }
}
