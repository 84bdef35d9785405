import CarillonCore
import Foundation
import NIOHTTP1

/// A complete request to the admin port.
struct AdminRequest: Sendable {
    var method: HTTPMethod
    /// The decoded parts of the path: `/devices/my%20phone` is `["devices", "my phone"]`.
    var path: [String]
    /// The parameters of the query, in their order.
    private var parameters: [(name: String, value: String)]
    var headers: HTTPHeaders
    var body: Data

    init?(_ head: HTTPRequestHead, body: Data) {
        guard let components = URLComponents(string: head.uri) else { return nil }
        method = head.method
        path = components.percentEncodedPath.split(separator: "/").compactMap { Self.percentDecoded($0) }
        parameters = (components.percentEncodedQueryItems ?? []).map { item in
            (Self.decoded(item.name), Self.decoded(item.value ?? ""))
        }
        headers = head.headers
        self.body = body
    }

    /// Returns a name or a value of a query; a plus stands for a space, as forms and most libraries write it.
    private static func decoded(_ text: String) -> String {
        let text = text.replacing("+", with: "%20")
        return percentDecoded(text[...]) ?? text
    }

    /// Returns a text with the bytes for which `%41` and the like stand; `nil` if they are not UTF-8, or a `%` stands for none.
    private static func percentDecoded(_ text: Substring) -> String? {
        var (bytes, rest): ([UInt8], Substring.UTF8View) = ([], text.utf8)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = Substring(rest.prefix(2))
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Returns the value of a parameter of the query; `nil` if it is absent.
    func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Checks the names in the query.
    ///
    /// - Throws: ``AdminProblem`` 400 for a parameter that is not known, or that is given twice.
    func checkQuery(_ known: [String]) throws(AdminProblem) {
        try KnownNames.check(parameters.map(\.name), known, in: "the query of this call")
        for name in known where parameters.count(where: { $0.name == name }) > 1 {
            throw AdminProblem(400, "\(name) is given more than once")
        }
    }

    /// Returns the body as a JSON dictionary with no other members than the known ones.
    ///
    /// The dictionary is empty if the request has no body.
    func dictionary(_ known: String...) throws(AdminProblem) -> [String: JSONValue] {
        let members = try dictionary()
        try KnownNames.check(members.keys, known, in: "the body")
        return members
    }

    /// Returns the body as a JSON dictionary, whose members the caller checks.
    ///
    /// The dictionary is empty if the request has no body.
    func dictionary() throws(AdminProblem) -> [String: JSONValue] {
        guard !body.isEmpty else { return [:] }
        do {
            guard let members = try JSONValue(parsing: body).objectValue else {
                throw AdminProblem(400, "the body is not a JSON dictionary")
            }
            return members
        } catch let problem as AdminProblem {
            throw problem
        } catch {
            throw AdminProblem(400, "the body is \(error)")
        }
    }
}
