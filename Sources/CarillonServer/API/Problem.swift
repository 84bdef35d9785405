import CarillonCore
import HTTPTypes
import Hummingbird
import NIOCore

/// An error that the service sends to the caller as `application/problem+json`.
struct Problem: HTTPResponseError {
    var document: ProblemDocument
    var headers: HTTPFields = [:]

    var status: HTTPResponse.Status { HTTPResponse.Status(code: document.status) }

    /// Creates a problem with all its members.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - name: the last part of the problem's `type`; it never changes.
    ///   - title: the kind of problem in words; all problems with this `name` have an equal title.
    ///   - detail: the fault of this call, and the remedy.
    ///   - pointer: the JSON pointer of the fault in the body; `nil` if the fault is elsewhere.
    ///   - headers: further headers of the answer. The default is none.
    init(
        _ status: HTTPResponse.Status, _ name: String, _ title: String, _ detail: String, pointer: String? = nil,
        headers: HTTPFields = [:]
    ) {
        document = ProblemDocument(
            type: ProblemDocument.typePrefix + name, title: title, status: status.code, detail: detail, pointer: pointer
        )
        self.headers = headers
        if let field = HTTPField.Name(ProblemDocument.header) { self.headers[field] = document.name }
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        let body = try CarillonJSON.encode(document)
        var headers = headers
        headers[.contentType] = "application/problem+json"
        let response = Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
        return request.method == .head ? response.createHeadResponse() : response
    }
}

extension Problem {
    /// Returns a problem with status 422, for a request that the service understands but whose value it does not accept.
    ///
    /// - Parameters:
    ///   - pointer: the JSON pointer of the value.
    ///   - detail: the fault and the remedy.
    /// - Returns: the problem.
    static func invalid(_ pointer: String, _ detail: String) -> Problem {
        Problem(.unprocessableContent, "invalid-value", "A value cannot be accepted", detail, pointer: pointer)
    }

    static func malformed(_ detail: String) -> Problem {
        Problem(.badRequest, "malformed-json", "The body is not JSON", detail)
    }

    /// Returns a problem with status 415 that lists the accepted content codings
    /// ([RFC 9110 §15.5.16](https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16)).
    static func contentCoding(_ coding: String) -> Problem {
        Problem(
            .unsupportedMediaType, "content-coding", "The body is encoded",
            "the body has the content coding \(coding.prefix(40)), which is not accepted: send it as it is",
            headers: [.acceptEncoding: "identity"])
    }

    static let precondition = Problem(
        .preconditionFailed, "precondition", "The precondition is not met",
        "this resource has no entity tag that If-Match could name; leave If-Match out")

    static let changedMeanwhile = Problem(
        .preconditionFailed, "precondition", "The precondition is not met",
        "the resource has changed since you read it: read it again, and decide anew")

    static func query(_ detail: String) -> Problem {
        Problem(.badRequest, "invalid-query", "The query is not understood", detail)
    }

    static func noSuchMessage(_ id: String) -> Problem {
        Problem(
            .notFound, "no-such-message", "There is no such message",
            "no message has the id \(id.prefix(MessageID.byteLimit)); it may have been purged")
    }

    static func noSuchLiveActivity(_ id: String) -> Problem {
        Problem(
            .notFound, "no-such-live-activity", "There is no such Live Activity",
            "no Live Activity has the id \(id.prefix(MessageID.byteLimit)); it may have been purged")
    }

    /// The problem of a call about an app that does not exist, or that was removed during the call.
    static let noSuchApp = invalid(
        "/topic", "is not an app of this service; `carillon apps add` or `carillon serve --topic` makes one")

    static func noSuchDevice() -> Problem {
        Problem(
            .notFound, "no-such-device", "There is no such device",
            "this installation is not registered; POST /v1/devices registers it")
    }

    static func unauthorized(_ detail: String) -> Problem {
        Problem(
            .unauthorized, "unauthorized", "The caller is not known", detail,
            headers: [.wwwAuthenticate: "Bearer realm=\"carillon\""])
    }

    static func forbidden(_ detail: String) -> Problem {
        Problem(.forbidden, "forbidden", "The caller may not do this", detail)
    }

    /// Returns a problem with status 404 for a path that this listener does not have.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - isListed: whether this listener serves the document that lists the paths.
    /// - Returns: the problem.
    static func notFound(_ path: String, isListed: Bool) -> Problem {
        let advice =
            isListed
            ? "GET /openapi.json lists what there is"
            : "this address is for phones: calls of backends and operators go to the address of --operator-port"
        return Problem(
            .notFound, "no-such-path", "There is no such path",
            "no route is at \(path.prefix(ServiceLimits.quotedPathCharacters)); \(advice)")
    }

    static func methodNotAllowed(_ method: HTTPRequest.Method, allowed: [String]) -> Problem {
        let list = allowed.joined(separator: ", ")
        return Problem(
            .methodNotAllowed, "method-not-allowed", "The method is not allowed here",
            "\(method.rawValue) is not offered at this path; use \(list)", headers: [.allow: list])
    }

    static func tooLarge(limit: Int) -> Problem {
        Problem(
            .contentTooLarge, "body-too-large", "The body is too large",
            "the body may have at most \(limit) bytes (\(limit / 1024) KiB); send less at once")
    }

    static func tooManyRegistrations(_ refusal: RegistrationLimiter.Refusal) -> Problem {
        let who = refusal.isOfAddress ? "this address" : "this app's users together"
        return Problem(
            .tooManyRequests, "too-many-registrations", "Too many registrations",
            "\(who) registered too many new installations within a minute; try again after \(refusal.call.seconds) s",
            headers: refusal.call.headers)
    }

    static func tooManyCalls(_ refusal: CallRefusal) -> Problem {
        Problem(
            .tooManyRequests, "too-many-calls", "Too many calls",
            "this caller sent too many \(refusal.limit); try again after \(refusal.seconds) s", headers: refusal.headers
        )
    }

    static func backlog(of app: AppReference, limit: Int) -> Problem {
        Problem(
            .tooManyRequests, "backlog", "Too much waits to be sent",
            "\(limit) pushes or more wait in \(app.topic); nothing was accepted. Try again later, and see /healthz for what holds them up",
            headers: [.retryAfter: "\(ServiceLimits.backlogRetryAfter.components.seconds)"])
    }

    static func conflict(_ name: String, _ detail: String, pointer: String? = nil) -> Problem {
        Problem(.conflict, name, "The request conflicts with an earlier one", detail, pointer: pointer)
    }

    static let busy = Problem(
        .serviceUnavailable, "busy", "The service is busy",
        "the database could not be written; nothing was changed. Try again, with the same Idempotency-Key",
        headers: [.retryAfter: "1"])

    static let bodiesFillMemory = Problem(
        .serviceUnavailable, "too-many-bodies", "The service is busy",
        "the bodies of other calls fill the memory for bodies; nothing was changed. Try again",
        headers: [.retryAfter: "1"])

    static let unknownOutcome = Problem(
        .serviceUnavailable, "unknown-outcome", "It is not known whether this was done",
        "the connection to the database was lost while it was being written. Repeat the call, with the same Idempotency-Key or id",
        headers: [.retryAfter: "1"])

    static let internalError = Problem(
        .internalServerError, "internal-error", "The service failed",
        "something went wrong in the service; nothing was changed. Try again, with the same Idempotency-Key")
}

extension CallRefusal {
    /// The headers that tell a caller when to try again and how much is allowed
    /// ([RateLimit fields](https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10)).
    fileprivate var headers: HTTPFields {
        var headers: HTTPFields = [.retryAfter: "\(seconds)"]
        let unit = limit == "bytes" ? ";qu=\"content-bytes\"" : ""
        if let policy = HTTPField.Name("RateLimit-Policy"), let left = HTTPField.Name("RateLimit") {
            headers[policy] = "\"\(limit)\";q=\(rate.quota)\(unit);w=\(rate.window.components.seconds)"
            headers[left] = "\"\(limit)\";r=0;t=\(seconds)"
        }
        return headers
    }
}
