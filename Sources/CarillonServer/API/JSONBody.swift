import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads the JSON bodies of requests, and writes answers in JSON.
enum JSONBody {
    /// Parses the body of a backend's request strictly.
    ///
    /// The returned reader reports each fault with its JSON pointer.
    static func object(_ request: Request) async throws -> ObjectReader {
        try object(try await data(request, limit: ServiceLimits.backendBodyBytes))
    }

    /// Parses the optional body of a backend's request; returns `nil` for an empty body.
    static func objectIfAny(_ request: Request) async throws -> ObjectReader? {
        let data = try await data(request, limit: ServiceLimits.backendBodyBytes)
        return data.isEmpty ? nil : try object(data)
    }

    private static func object(_ data: Data) throws -> ObjectReader {
        do {
            return try ObjectReader(try JSONValue(parsingUnambiguous: data), pointer: "")
        } catch let error as JSONSyntaxError {
            throw Problem.malformed("\(error.description); send one JSON object in UTF-8")
        }
    }

    /// Decodes the body of a request that an app sends, of at most `limit` bytes.
    static func decode<Value: Decodable>(_ type: Value.Type, _ request: Request, limit: Int) async throws -> Value {
        let data = try await data(request, limit: limit)
        do {
            return try CarillonJSON.decode(type, from: data)
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty && isJSON(data) {
            // Foundation reports only that the whole body is not valid JSON, and does not tell which number is wrong.
            throw Problem.invalid(
                "",
                "has a number that is too large for its place, or has a fraction where only whole numbers are allowed")
        } catch let error as DecodingError {
            throw error.problem
        }
    }

    private static func isJSON(_ data: Data) -> Bool { (try? JSONValue(parsing: data)) != nil }

    /// Runs a closure, and converts its decoding error into a ``Problem`` whose pointer names the faulty value.
    static func decoding<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DecodingError {
            throw error.problem
        }
    }

    static func data(_ request: Request, limit: Int) async throws -> Data {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw Problem.tooLarge(limit: limit)
        }
        do {
            let data = Data(try await request.body.collect(upTo: limit).readableBytesView)
            // Checks before decoding, because a few kilobytes of nested brackets keep a decoder busy for seconds.
            try JSONText.checkEncoding(data)
            try JSONText.checkDepth(data, atMost: ServiceLimits.bodyDepth)
            try JSONText.checkStrings(data)
            return data
        } catch is NIOTooManyBytesError {
            throw Problem.tooLarge(limit: limit)
        } catch let error as JSONSyntaxError {
            throw Problem.malformed(error.description)
        }
    }

    /// Answers with a value, and with the entity tag of the resource if it has one.
    static func answer(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, tag: String? = nil
    ) throws -> Response { answer(try CarillonJSON.encode(value), status: status, tag: tag) }

    /// Answers with a JSON value, without the detour of Foundation's encoder.
    static func answer(_ value: JSONValue) throws -> Response { answer(try value.encoded(), status: .ok) }

    /// Answers with a JSON text.
    static func answer(text: String) -> Response { answer(Data(text.utf8), status: .ok) }

    private static func answer(_ json: Data, status: HTTPResponse.Status, tag: String? = nil) -> Response {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.eTag] = tag
        return Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }
}

extension DecodingError {
    fileprivate var problem: Problem {
        switch self {
        case .keyNotFound(let key, let context):
            .invalid(Self.pointer(context.codingPath + [key]), "\(key.stringValue) is missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            .invalid(Self.pointer(context.codingPath), "this is not of the expected type")
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            .malformed("not valid JSON: \((context.underlyingError ?? self).sentence)")
        case .dataCorrupted(let context):
            .invalid(
                Self.pointer(context.codingPath),
                Self.sentence(context.debugDescription, of: context.codingPath.last?.stringValue))
        @unknown default: .malformed("not understood")
        }
    }

    /// Returns a decoding error's description, in words that a caller understands.
    ///
    /// If the standard library or Foundation has written the description, it may name a Swift type, which means nothing to a
    /// caller. The function replaces such a description and returns any other unchanged.
    private static func sentence(_ description: String, of member: String?) -> String {
        let namesSwiftType = ["Cannot initialize ", "Parsed JSON number"].contains { description.hasPrefix($0) }
        guard namesSwiftType else { return description }
        let values = member.flatMap { choices[$0] }.map { ": \($0.joined(separator: ", "))" } ?? ""
        return "is not one of the values allowed here\(values)"
    }

    /// The values of the members that have a fixed set of values, in the bodies that an app sends.
    private static let choices = [
        "environment": APNsEnvironment.allCases.map(\.rawValue), "permission": PermissionState.allCases.map(\.rawValue),
        "event": ReceiptEvent.allCases.map(\.rawValue),
    ]

    private static func pointer(_ path: [any CodingKey]) -> String {
        path.map { "/" + ($0.intValue.map(String.init) ?? $0.stringValue) }.joined()
    }
}

extension Error {
    fileprivate var sentence: String {
        (self as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? "the body is not one JSON object in UTF-8"
    }
}
