import CarillonCore
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The route `/v1/devices/import`, for devices from another provider.
struct ImportRoutes {
    let service: ServiceContext
    let devices: DeviceCalls
    let audit: AuditCalls

    func add(to router: Router<ServiceRequestContext>) {
        router.post("/v1/devices/import") { request, context in try await importDevices(request, context) }
    }

    private func importDevices(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let key = try await service.callers.key(request, may: .users)
        let topic = CallerAuthentication.topic(request)
        let app =
            topic == nil && key.apps.count > 1
            ? nil : try CallerAuthentication.app(of: key, named: topic, pointer: nil)
        var progress = ImportReport()
        progress.line = try Self.line(request)
        var run = DeviceImport(
            try Self.format(request),
            ImportRules(apps: key.apps, app: app, environment: try Self.environment(request)), into: devices,
            random: service.random, after: progress)
        do {
            for try await piece in request.body {
                _ = try await run.received(piece.readableBytesView, at: service.clock.now)
            }
            _ = try await run.finish(at: service.clock.now)
            try await note(run.report, by: key, app)
        } catch let error as ServiceError where error.code == .busy {
            try? await note(run.report, by: key, app)
            throw Self.interrupted(after: run.report.line)
        } catch let error as ImportFileError {
            throw Problem.invalid("", error.description)
        }
        context.logger.notice(
            "devices were imported",
            metadata: [
                "records": "\(run.report.records)", "refused": "\(run.report.refused)",
                "app": "\(app?.topic ?? "each record's own")",
            ])
        return try JSONBody.answer(run.report)
    }

    /// Adds an import to the audit list, unless it has changed nothing.
    private func note(_ report: ImportReport, by key: APIKeyRecord, _ app: AppReference?) async throws {
        guard report.added + report.updated > 0 else { return }
        let note = AuditNote(.devicesImported, by: AuditActor(key), app: app?.topic, details: report.summary)
        try await audit.add(note, at: service.clock.now)
    }

    private static func format(_ request: Request) throws(Problem) -> ImportFormat {
        let type = request.headers[.contentType]?.split { $0 == ";" || $0 == " " }.first
        switch type?.lowercased() {
        case "text/csv": return .csv
        case "application/x-ndjson", "application/jsonl", "application/json": return .ndjson
        default:
            throw Problem(
                .unsupportedMediaType, "unknown-format", "The format is not known",
                "Content-Type must be text/csv or application/x-ndjson")
        }
    }

    private static func environment(_ request: Request) throws(Problem) -> APNsEnvironment {
        guard let name = request.uri.queryParameters.get("environment") else { return .production }
        guard let environment = APNsEnvironment(rawValue: name) else {
            throw .query("environment must be production or sandbox")
        }
        return environment
    }

    /// Returns the line after which the import continues: the query's `after_line`, or 0.
    private static func line(_ request: Request) throws(Problem) -> Int {
        guard let text = request.uri.queryParameters.get("after_line") else { return 0 }
        guard let line = Int(text), line >= 0 else {
            throw .query("after_line must be the number of the last line that was dealt with")
        }
        return line
    }

    private static func interrupted(after line: Int) -> Problem {
        Problem(
            .serviceUnavailable, "busy", "The service is busy",
            "the database could not be written any more after line \(line); send the file again with ?after_line=\(line)",
            headers: [.retryAfter: "1"])
    }
}
