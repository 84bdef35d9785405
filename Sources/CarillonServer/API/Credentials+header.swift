import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird

extension Credentials {
    /// Reads credentials; `nil` if they are neither an API key nor an installation's.
    ///
    /// - Parameter text: the text after `Bearer`.
    init?(_ text: String) {
        if let (id, secret) = APIKeys.parts(of: text) {
            self = .key(id: id, secret: secret)
            return
        }
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, let id = String(parts[0]), let secret = String(parts[1]),
            (try? MessageID(id)) != nil, RegistrationRule.isSecret(secret)
        else { return nil }
        self = .installation(id: id, secret: secret)
    }

    /// Reads the credentials of a call.
    ///
    /// - Parameters:
    ///   - request: the call.
    ///   - form: the expected header, for the error's description.
    /// - Returns: the credentials; `nil` if the header has a text that is neither an API key nor an installation's credentials.
    /// - Throws: ``Problem`` 401 if there is no such header.
    static func of(_ request: Request, _ form: String) throws(Problem) -> Credentials? {
        guard let header = request.headers[.authorization] else {
            throw .unauthorized("the header is missing: send \(form)")
        }
        let parts = header.utf8.split(separator: UInt8(ascii: " "))
        guard parts.count == 2, let scheme = String(parts[0]), scheme.lowercased() == "bearer",
            let text = String(parts[1])
        else { throw .unauthorized("the header is not understood: send \(form)") }
        return Credentials(text)
    }
}
