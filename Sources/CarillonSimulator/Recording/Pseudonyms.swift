import CarillonCore
import Crypto
import Foundation

/// Gives device tokens other names, which nobody can lead back to the tokens without the salt.
///
/// In one recording a token has one pseudonym, as long as the token; in another recording another one.
struct Pseudonyms: Sendable {
    private let salt: SymmetricKey
    private let keepsPayloads: Bool

    /// - Parameters:
    ///   - salt: random bytes, which are kept nowhere.
    ///   - keepsPayloads: whether the recording has the payloads.
    init(salt: [UInt8], keepsPayloads: Bool) {
        self.salt = SymmetricKey(data: salt)
        self.keepsPayloads = keepsPayloads
    }

    /// Returns the pseudonym in hexadecimal of the text that stands for a device token in a path.
    func pseudonym(of token: String) -> String {
        let count = DeviceToken(hex: token)?.data.count ?? 32
        var bytes: [UInt8] = []
        var block: UInt8 = 0
        while bytes.count < count {
            bytes += HMAC<SHA256>.authenticationCode(for: Data(token.lowercased().utf8) + [block], using: salt)
            block &+= 1
        }
        return bytes.prefix(count).map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }

    /// Returns a payload for the recording, in which the request's own token has its pseudonym.
    func payload(_ data: Data, token: String?) -> JSONValue? {
        guard keepsPayloads else { return nil }
        guard let token, token.utf8.count >= 8 else { return data.shown }
        var text = String(decoding: data, as: UTF8.self)
        for spelling in [token, token.lowercased(), token.uppercased()] {
            text = text.replacing(spelling, with: pseudonym(of: token))
        }
        return Data(text.utf8).shown
    }
}
