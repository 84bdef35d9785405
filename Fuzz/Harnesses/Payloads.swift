import CarillonCore
import CarillonDevice
import CarillonExplain
import CarillonUserInfo
import Foundation

@testable import CarillonDevice

extension Harness {
    static let payloadHarnesses = [json, payload, content, explanation, token, moment]

    private static let json = Harness(name: "json") { bytes in
        guard let value = try? JSONValue(parsing: Data(bytes)) else { return }
        // Foundation reads 1.8446744073709553e+18, which is how it writes a larger fraction, as a whole number.
        guard let written = try? value.encoded(), let read = try? JSONValue(parsing: written) else { return }
        guard let again = try? read.encoded() else { return }
        demand((try? JSONValue(parsing: again).encoded()) == again, "what is written is read as the same")
        _ = JSONValue(foundation: value.foundationObject)
    }

    private static let payload = Harness(name: "payload") { bytes in
        guard let json = try? JSONValue(parsing: Data(bytes)), let payload = try? Payload(json: json) else { return }
        for pushType in PushType.allCases {
            guard let data = try? payload.validated(for: pushType) else { continue }
            demand(data.count <= pushType.payloadByteLimit, "a valid payload keeps to the limit")
        }
        guard let written = try? payload.encoded() else { return }
        let again = (try? JSONValue(parsing: written)).flatMap { try? Payload(json: $0) }
        demand(again == payload, "a payload is read as it was written")
    }

    private static let content = Harness(name: "content") { bytes in
        let push = IncomingPush(
            topic: "com.example.chime", pushType: .alert, payload: Data(bytes), collapseID: nil,
            apnsID: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), priority: 10)
        let read = try? PushContent(push: push, strings: ["GREETING": "Hello %@, %1$@ and %d"], rules: PhoneRules())
        demand(read == nil || (try? JSONValue(parsing: Data(bytes))) != nil, "only JSON has a content")
    }

    private static let explanation = Harness(name: "explanation") { bytes in
        let data = Data(bytes)
        for pushType in [nil] + PushType.allCases {
            let explanation = PayloadExplanation(of: data, pushType: pushType)
            demand(!explanation.summary.isEmpty, "there is always something to say")
            demand(explanation.isUsable || !explanation.lines.isEmpty, "an error is named")
        }
    }

    private static let token = Harness(name: "token") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if let token = DeviceToken(hex: text) {
            demand(token.data.hexadecimal == token.hex && DeviceToken(token.data) == token, "a token is its bytes")
        }
        if let data = Data(hexadecimal: text) {
            demand(data.hexadecimal == text.lowercased(), "hexadecimal is read as it is written")
        }
        _ = try? MessageID(text)
    }

    private static let moment = Harness(name: "moment") { bytes in
        // As text, or any number of milliseconds, which JSON may have.
        let number = bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let moment =
            Timestamp(rfc3339: String(decoding: bytes, as: UTF8.self)) ?? Timestamp(millisecondsSince1970: number)
        _ = (moment + .seconds(Int64.max / 1000)) - (moment - .seconds(60))
        _ = moment.secondsSince1970
        _ = moment.description
    }
}
