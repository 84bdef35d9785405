import CarillonAPNs
import CarillonCore
import Crypto
import Foundation
import Logging
import TestSupport

enum TestValues {
    static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    static let start = Timestamp(secondsSince1970: 1_800_000_000)

    static func signingKey(keyID: String = "ABCDE12345") throws -> APNsSigningKey {
        try APNsSigningKey(pem: P256.Signing.PrivateKey().pemRepresentation, keyID: keyID, teamID: "TEAM123456")
    }

    static func notification(number: Int = 1, collapseID: String? = nil) throws -> APNsNotification {
        let hex = String(repeating: "0", count: 56) + String(UInt32(number) | 0x1000_0000, radix: 16)
        guard let token = DeviceToken(hex: hex) else { throw Missing() }
        return APNsNotification(
            deviceToken: token, topic: "com.example.chime", pushType: .alert,
            payload: APNsPayload(Data(#"{"aps":{"alert":"Hello"}}"#.utf8)), collapseID: collapseID,
            apnsID: uuid(number))
    }

    /// Makes a notification to one of these device tokens; they take turns.
    static func notification(number: Int, to tokens: [Data]) throws -> APNsNotification {
        var notification = try notification(number: number)
        guard let token = DeviceToken(tokens[number % tokens.count]) else { throw Missing() }
        notification.deviceToken = token
        return notification
    }

    /// Returns the UUID of a number, which never changes.
    static func uuid(_ number: Int) -> UUID {
        let digits = String(number, radix: 16)
        let padded = String(repeating: "0", count: 12 - digits.count) + digits
        return UUID(uuidString: "00000000-0000-4000-8000-\(padded)")
            ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    struct Missing: Error {}
}

extension TestAuthority {
    /// A client for a server on this machine that has a certificate of this authority.
    func client(
        port: Int, host: String = "127.0.0.1", clock: any CarillonClock = SystemClock(),
        limits: APNsLimits = APNsLimits(), deadline: Duration = .seconds(60), credential: APNsCredential? = nil,
        loops: APNsEventLoops? = nil
    ) throws -> APNsClient {
        let credential = try credential ?? .signingKey(try TestValues.signingKey())
        var configuration = APNsConfiguration(
            endpoint: APNsEndpoint(host: host, port: port), credential: credential,
            trustRoots: .pem(pem), clock: clock, seed: 1, defaultDeadline: deadline, limits: limits)
        configuration.eventLoops = loops
        return try APNsClient(configuration: configuration, logger: TestValues.quiet)
    }
}
