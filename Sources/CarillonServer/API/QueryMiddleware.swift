import CarillonCore
import Hummingbird

/// Refuses a request whose query has a parameter that its route does not take, or has a parameter twice.
///
/// A misspelled parameter would otherwise be ignored without a word, and the call would do something else than its caller meant. The
/// parameters of a route are those that the OpenAPI description declares. A path that the description lacks, such as that of a web
/// page's file, takes any query.
struct QueryMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if request.uri.query != nil, let path = context.endpointPath {
            // The router answers HEAD on each path that has a GET.
            let method = request.method == .head ? .get : request.method
            if let known = DeclaredParameters.byRoute["\(method.rawValue) \(path)"] { try check(request, known) }
        }
        return try await next(request, context)
    }

    private func check(_ request: Request, _ known: [String]) throws(Problem) {
        var found: Set<String> = []
        for (name, _) in request.uri.queryParameters {
            let name = String(name)
            guard known.contains(name) else { throw .unknownParameter(name, known: known) }
            guard found.insert(name).inserted else {
                throw .query("\(name) is given more than once")
            }
        }
    }
}

/// The parameters that the query of each route may have.
private enum DeclaredParameters {
    /// The names of the parameters, in alphabetical order, by method and path as in `GET /v1/app`.
    static let byRoute: [String: [String]] = {
        guard let routes = try? OpenAPIDocument.queryParameters() else {
            preconditionFailure("the embedded description is valid")
        }
        return routes
    }()
}

extension Problem {
    fileprivate static func unknownParameter(_ name: String, known: [String]) -> Problem {
        let quoted = String(name.prefix(DeliveryLimits.quotedKeyCharacters))
        guard !known.isEmpty else { return .query("\(quoted) is not known here; this call takes no parameters") }
        let hint = quoted.nearest(in: known).map { "did you mean \($0)? " } ?? ""
        return .query("\(quoted) is not known here; \(hint)Known are \(known.joined(separator: ", "))")
    }
}
