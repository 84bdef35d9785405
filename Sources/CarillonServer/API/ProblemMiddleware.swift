import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Converts every error into a problem document, also for paths that do not exist.
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    let routes: RouteTable

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            if let coding = request.headers[.contentEncoding], coding.lowercased() != "identity" {
                throw Problem.contentCoding(coding)
            }
            return try await next(request, context)
        } catch {
            return try problem(for: error, request, context).response(from: request, context: context)
        }
    }

    private func problem(for error: any Error, _ request: Request, _ context: Context) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case is NIOTooManyBytesError: return .tooLarge(limit: context.maxUploadSize)
        case let error as HTTPError where error.status == .notFound && error.body == nil:
            let allowed = routes.methods(at: request.uri.path)
            return allowed.isEmpty
                ? .notFound(request.uri.path) : .methodNotAllowed(request.method, allowed: allowed)
        case let error as any HTTPResponseError:
            let detail = (error as? HTTPError)?.body ?? error.status.reasonPhrase
            return Problem(error.status, "http-\(error.status.code)", error.status.reasonPhrase, detail)
        case let error as ServiceError where [.busy, .full, .version].contains(error.code):
            context.logger.error("the database cannot be written", metadata: ["reason": "\(error)"])
            return .busy
        case let error as ServiceError where error.code == .text: return .invalid("", error.description)
        case let error as ServiceError where error.code == .unknownOutcome:
            context.logger.error("what came of a commit is not known", metadata: ["reason": "\(error)"])
            return .unknownOutcome
        default:
            // The error may quote a request, so only its type is logged.
            context.logger.error("a call failed", metadata: ["error": "\(type(of: error))"])
            return .internalError
        }
    }
}
