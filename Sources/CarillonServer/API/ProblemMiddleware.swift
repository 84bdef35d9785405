import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// Converts every error into a problem document, including the error for an unknown path.
///
/// It also gives each call a logger whose lines contain the id of the trace that the request names (``TraceParent``).
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    let routes: RouteTable
    /// The log lines that an outage would repeat with each call.
    let lines: RepeatedLines

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.logger = TraceParent.logger(context.logger, for: request)
        do {
            if let coding = request.headers[.contentEncoding], coding.lowercased() != "identity" {
                throw Problem.contentCoding(coding)
            }
            if request.method == .options, let allowed = options(request) { return allowed }
            // Most resources have no entity tag, so the tags in `If-Match` never match (RFC 9110 §13.1.1).
            if let match = request.headers[.ifMatch], match != "*", !hasTag(request),
                routes.methods(at: request.uri.path).contains(request.method.rawValue)
            {
                throw Problem.precondition
            }
            return try await next(request, context)
        } catch {
            return try problem(for: error, request, context).response(from: request, context: context)
        }
    }

    /// Returns whether a request is for a resource with an entity tag, whose route compares it.
    private func hasTag(_ request: Request) -> Bool {
        let (path, parts) = (request.uri.path, request.uri.path.split(separator: "/"))
        let isTemplate = path.hasPrefix("/v1/templates/")
        switch request.method {
        case .patch: return path == "/v1/app" || path.hasPrefix("/v1/webhooks/") && parts.count == 3
        case .put: return isTemplate && parts.count == 3
        case .post: return isTemplate && parts.count == 4 && parts.last == "revert"
        default: return false
        }
    }

    /// Answers `OPTIONS` with the methods of a path, or with the methods of all paths for `*`.
    ///
    /// The function returns `nil` for an unknown path, and for a path with an `OPTIONS` route of its own.
    private func options(_ request: Request) -> Response? {
        let allowed = routes.methods(at: request.uri.path)
        guard !allowed.isEmpty, !allowed.contains("OPTIONS") else { return nil }
        return Response(status: .noContent, headers: [.allow: (allowed + ["OPTIONS"]).joined(separator: ", ")])
    }

    private func problem(for error: any Error, _ request: Request, _ context: Context) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case is OtherEntityTag: return .changedMeanwhile
        case is BodyTimeout:
            return Problem(
                .requestTimeout, "request-timeout", "The request did not come in time",
                "the body was not complete in time, or came too slowly")
        case is HTTPParserError:
            return Problem(
                .badRequest, "malformed-request", "The request is not HTTP",
                "the body is not framed as its headers say, or ended before it was complete")
        case is NIOTooManyBytesError: return .tooLarge(limit: context.maxUploadSize)
        case let error as HTTPError where error.status == .notFound && error.body == nil:
            let allowed = routes.methods(at: request.uri.path)
            return allowed.isEmpty
                ? .notFound(request.uri.path, isListed: !routes.methods(at: "/openapi.json").isEmpty)
                : .methodNotAllowed(request.method, allowed: allowed)
        case let error as any HTTPResponseError:
            let detail = (error as? HTTPError)?.body ?? error.status.reasonPhrase
            return Problem(error.status, "http-\(error.status.code)", error.status.reasonPhrase, detail)
        case let error as ServiceError where [.busy, .full, .unwritable, .version].contains(error.code):
            lines.log(
                .error, "the database cannot be written", metadata: ["reason": "\(error)"], to: context.logger)
            return .busy
        case let error as ServiceError where error.code == .removed: return .noSuchApp
        case let error as ServiceError where error.code == .text: return .invalid("", error.description)
        case let error as ServiceError where error.code == .unknownOutcome:
            lines.log(
                .error, "what came of a commit is not known", metadata: ["reason": "\(error)"], to: context.logger)
            return .unknownOutcome
        default:
            // The error may quote a request, so only its type is logged.
            let type = "\(type(of: error))"
            lines.log(.error, "a call failed", kind: type, metadata: ["error": "\(type)"], to: context.logger)
            return .internalError
        }
    }
}
