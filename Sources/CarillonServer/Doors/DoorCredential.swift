import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird

/// The API key in a call of another service's client, which has its own place for a key.
///
/// The places are `Bearer`, OneSignal's `Key`, and `Basic`: its password, which most clients take from an address such as
/// `https://carillon:ck_…@push.example.com`, or the whole text, where OneSignal's older clients put their key. Each is rewritten as
/// `Bearer`, so that one parser reads the key.
enum DoorCredential {
    static func asBearer(_ request: Request) -> Request {
        guard let header = request.headers[.authorization] else { return request }
        let parts = header.split(separator: " ")
        guard parts.count == 2, let key = key(scheme: parts[0].lowercased(), String(parts[1])) else { return request }
        var head = request.head
        head.headerFields[.authorization] = "Bearer \(key)"
        return Request(head: head, body: request.body)
    }

    private static func key(scheme: String, _ text: String) -> String? {
        switch scheme {
        case "key": return text
        case "basic" where APIKeys.parts(of: text) != nil: return text
        case "basic":
            guard let data = Data(base64Encoded: text), let pair = String(data: data, encoding: .utf8),
                let colon = pair.firstIndex(of: ":")
            else { return nil }
            let password = pair[pair.index(after: colon)...]
            return String(password.isEmpty ? pair[..<colon] : password)
        default: return nil
        }
    }
}
