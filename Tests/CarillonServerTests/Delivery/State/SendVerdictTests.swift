import CarillonAPNs
import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("What follows from the outcome of a send")
struct SendVerdictTests {
    private func verdict(_ outcome: SendOutcome, tries: Int = 1, registered: Timestamp = noon) -> SendVerdict {
        outcome.verdict(tokenRegistered: registered, tries: tries, SendingRules(), at: noon + .seconds(1))
    }

    @Test("429 and 5xx are tried again, and cannot have arrived", arguments: [429, 500, 503])
    func busy(_ status: Int) {
        #expect(verdict(rejected("Busy", status)) == .retry(mayHaveArrived: false))
    }

    @Test("an answer that never came may have arrived; what never left cannot have")
    func lost() {
        #expect(verdict(.unanswered("deadline")) == .retry(mayHaveArrived: true))
        #expect(verdict(.notSent("no connection"), tries: 1000) == .retry(mayHaveArrived: false))
    }

    @Test("410 retires the token as of APNs' timestamp, unless it was registered after; repeated, in any case")
    func unregistered() {
        let before = verdict(rejected("Unregistered", 410, since: noon), registered: noon - .seconds(1))
        #expect(before == .retireToken(since: noon))
        let stale = rejected("Unregistered", 410, since: noon - .seconds(1))
        #expect(verdict(stale) == .retry(mayHaveArrived: false))
        #expect(verdict(stale, tries: DeliveryLimits.staleRejections) == .retireToken(since: noon + .seconds(1)))
        #expect(verdict(rejected("Unregistered", 410)) == .retireToken(since: noon), "without a timestamp")
    }

    @Test("BadDeviceToken quarantines, a payload that is too large is given up, one that cannot be made is cancelled")
    func final() {
        #expect(verdict(rejected("BadDeviceToken", 400)) == .quarantineToken)
        #expect(verdict(rejected("PayloadTooLarge", 413)) == .giveUp)
        #expect(verdict(.unsendable("aps too large")) == .cancel("the payload cannot be sent: aps too large"))
    }

    @Test("a credential error stops the app and keeps the message; only what APNs says after it proves a credential")
    func credential() {
        let refused = rejected("InvalidProviderToken", 403)
        #expect(verdict(refused) == .stopApp)
        #expect(refused.trouble == SendingTrouble(.refusedCredential, "InvalidProviderToken"))
        #expect(verdict(.noCredential("none")) == .putBack)
        #expect(SendOutcome.noCredential("none").trouble == SendingTrouble(.missingCredential, "none"))
        for outcome in [rejected("BadDeviceToken", 400), rejected("PayloadTooLarge", 413)] {
            #expect(outcome.provesSending && outcome.trouble == nil)
        }
        let failed: [SendOutcome] = [.unanswered("x"), .unconnected("x"), .distrusted("x"), .noCredential("x")]
        for outcome in failed + [refused, rejected("Busy", 503), rejected("ExpiredProviderToken", 403)] {
            #expect(!outcome.provesSending && outcome.trouble != nil)
        }
        #expect(!SendOutcome.notSent("x").provesSending && SendOutcome.notSent("x").trouble == nil)
    }

    @Test("back-off doubles up to a quarter of an hour")
    func backOff() {
        let schedule = DeliveryLimits.deliveryBackoff
        #expect(schedule.wait(failures: 1, jitter: 0) == .seconds(1))
        #expect(schedule.wait(failures: 3, jitter: 0) == .seconds(4))
        #expect(schedule.wait(failures: 50, jitter: 0) == .seconds(450))
        #expect(schedule.wait(failures: 50, jitter: 0.999) < .seconds(900))
    }
}
