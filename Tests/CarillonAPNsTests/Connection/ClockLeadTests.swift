import CarillonCore
import Foundation
import NIOHPACK
import TestSupport
import Testing

@testable import CarillonAPNs

@Suite("This machine's clock, by the Date of an answer")
struct ClockLeadTests {
    /// 15 January 2027, 08:00:00 UTC.
    private let date = "Fri, 15 Jan 2027 08:00:00 GMT"

    @Test("a Date is read in the form that servers send, and in no other")
    func dates() {
        #expect(Timestamp(httpDate: date) == TestValues.start)
        #expect(Timestamp(httpDate: "Sun, 06 Nov 1994 08:49:37 GMT")?.secondsSince1970 == 784_111_777)
        for text in ["", "Friday, 15-Jan-27 08:00:00 GMT", "Fri, 15 Foo 2027 08:00:00 GMT", "2027-01-15T08:00:00Z"] {
            #expect(Timestamp(httpDate: text) == nil, "\(text)")
        }
    }

    /// Returns the rejection that a client with a wrong clock gets from a server that refuses its provider token.
    private func rejection(
        _ reason: String, clockOff offset: Duration, date: String?
    ) async throws -> APNsRejection? {
        let authority = try TestAuthority()
        let server = try await FrameServer.start(try authority.server(addresses: ["127.0.0.1"])) { event, connection in
            guard case .request(let stream, _, _) = event else { return }
            connection.refuse(
                stream, status: 403, body: #"{"reason":"\#(reason)"}"#, headers: date.map { [("date", $0)] } ?? [])
        }
        let client = try authority.client(
            port: server.port, clock: ManualClock(start: TestValues.start + offset))
        let outcome = try await client.send(try TestValues.notification())
        await client.shutdown()
        try await server.stop()
        if case .rejected(let rejection) = outcome { return rejection }
        return nil
    }

    @Test("a slow clock is named for a token that is too old, a fast one for a token that is not valid, with how much")
    func wrongClocks() async throws {
        let slow = try #require(
            try await rejection("ExpiredProviderToken", clockOff: .seconds(-3_720), date: date))
        #expect(slow.clockError == "this machine's clock is 1 h 2 min slow")
        #expect(slow.advice.hasPrefix("This machine's clock is 1 h 2 min slow, by the Date of the answer: set it"))
        let fast = try #require(try await rejection("InvalidProviderToken", clockOff: .seconds(1_800), date: date))
        #expect(fast.clockError == "this machine's clock is 30 min fast")
    }

    @Test("a clock that is right, or wrong the other way, is not blamed")
    func otherReasons() async throws {
        for (reason, offset) in [("InvalidProviderToken", 30), ("InvalidProviderToken", -3_600), ("Forbidden", 3_600)] {
            let rejection = try #require(try await rejection(reason, clockOff: .seconds(offset), date: date))
            #expect(rejection.clockError == nil)
            #expect(rejection.advice == rejection.remedy.advice)
        }
    }

    @Test("without a Date the clock is named as a cause to look at, with the command")
    func withoutDate() async throws {
        for reason in ["ExpiredProviderToken", "InvalidProviderToken"] {
            let rejection = try #require(try await rejection(reason, clockOff: .seconds(-3_600), date: nil))
            #expect(rejection.clockLead == nil && rejection.clockError == nil)
            #expect(rejection.advice.contains("date -u"))
        }
    }
}
