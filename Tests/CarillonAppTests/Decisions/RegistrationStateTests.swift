import CarillonApp
import CarillonCore
import CarillonMessaging
import Foundation
import Testing

@Suite("Registration says only what has changed")
struct RegistrationStateTests {
    private let start = Timestamp(secondsSince1970: 1_800_000_000)

    private func facts(permission: PermissionState = .authorized) throws -> RegistrationFacts {
        RegistrationFacts(
            token: try #require(DeviceToken(hex: "aa")), topic: "t", environment: .sandbox,
            device: DeviceFacts(permission: permission))
    }

    /// An installation whose app has said that nobody is signed in.
    private func anonymous() -> RegistrationState {
        var state = RegistrationState()
        state.nobodyIsSignedIn()
        return state
    }

    @Test("a new installation asks the app once who is signed in, as a phone that was set up from a backup must")
    func asks() throws {
        var state = RegistrationState()
        #expect(state.needsSignInToken)
        #expect(state.next(try facts(), at: start) == .register(try facts(), withSignInToken: true))
        var bound = state
        bound.registered(try facts(), user: "u", at: start)
        #expect(bound.user == "u" && !bound.needsSignInToken)
        state.nobodyIsSignedIn()
        #expect(state.next(try facts(), at: start) == .register(try facts(), withSignInToken: false))
        state.registered(try facts(), user: nil, at: start)
        #expect(!state.needsSignInToken)
        #expect(state.next(try facts(), at: start) == .nothing)
    }

    @Test("a sign-out outlives all but its confirmation: a forgotten installation is registered, then signed out")
    func signOutStays() throws {
        var state = RegistrationState()
        state.registered(try facts(), user: "former", at: start)
        state.signedOut()
        state.forget()
        #expect(state.isSignOutPending && state.next(nil, at: start) == .nothing)
        state.signedIn()
        #expect(state.next(try facts(), at: start) == .register(try facts(), withSignInToken: false))
        state.registered(try facts(), user: "former", at: start)
        #expect(state.user == nil)
        #expect(state.next(try facts(), at: start) == .signOut)
        state.signOutConfirmed()
        #expect(state.needsSignInToken)
    }

    @Test("a registration whose answer was lost may have bound the user, so a sign-out after it is told")
    func lostAnswer() throws {
        var state = RegistrationState()
        state.signedIn()
        state.signedOut()
        #expect(state.isSignOutPending)
        #expect(state.next(try facts(), at: start) == .register(try facts(), withSignInToken: false))
    }

    @Test("the same facts are told once, changed ones again")
    func changes() throws {
        var state = anonymous()
        #expect(state.next(nil, at: start) == .nothing)
        #expect(state.next(try facts(), at: start) == .register(try facts(), withSignInToken: false))
        state.registered(try facts(), user: nil, at: start)
        #expect(state.next(try facts(), at: start) == .nothing)
        let denied = try facts(permission: .denied)
        #expect(state.next(denied, at: start) == .change(from: try facts(), to: denied, withSignInToken: false))
    }

    @Test(
        "another token at the service means a copy of this installation, once the service has heard of this phone's own"
    )
    func copies() throws {
        var state = RegistrationState()
        let own = try #require(DeviceToken(hex: "0011223344556677"))
        var facts = try facts()
        facts.token = own
        #expect(!state.isShared(serviceToken: "ffffffff", deviceToken: own))
        state.registered(facts, user: nil, at: start)
        #expect(!state.isShared(serviceToken: "44556677", deviceToken: own))
        #expect(
            !state.isShared(serviceToken: nil, deviceToken: own)
                && !state.isShared(serviceToken: "ffffffff", deviceToken: nil))
        #expect(state.isShared(serviceToken: "ffffffff", deviceToken: own))
        // iOS has given another token. It is unknown whether the service has received it.
        #expect(!state.isShared(serviceToken: "44556677", deviceToken: DeviceToken(hex: "ffffffff")))
        state.registered(facts, user: nil, awaitsToken: true, at: start)
        #expect(!state.isShared(serviceToken: "ffffffff", deviceToken: own))
    }

    @Test("signing in asks for one token, and signing out is kept until the service has confirmed it")
    func signInAndOut() throws {
        var state = RegistrationState()
        state.signedIn()
        #expect(state.next(try facts(), at: start) == .register(try facts(), withSignInToken: true))
        state.registered(try facts(), user: "u", at: start)
        #expect(state.next(try facts(), at: start) == .nothing)
        state.signedOut()
        #expect(state.user == nil)
        state = try CarillonJSON.decode(RegistrationState.self, from: CarillonJSON.encode(state))
        #expect(state.next(try facts(), at: start) == .signOut)
        state.signOutConfirmed()
        #expect(state.next(try facts(), at: start) == .nothing)
    }

    @Test("a fact that is no longer known needs a whole registration, because a change cannot tell it")
    func forgottenFact() throws {
        var known = try facts()
        known.device.locale = "de_AT"
        var state = anonymous()
        state.registered(known, user: nil, at: start)
        #expect(state.next(try facts(), at: start) == .register(try facts(), withSignInToken: false))
        var other = known
        other.device.locale = "fr"
        #expect(state.next(other, at: start) == .change(from: known, to: other, withSignInToken: false))
        #expect(other.device.changes(since: known.device) == ["locale": "fr"])
    }

    @Test("whoever was never registered has nothing to sign out of")
    func neverRegistered() {
        var state = RegistrationState()
        state.signedOut()
        #expect(state.next(nil, at: start) == .nothing)
        #expect(!state.isSignOutPending)
    }

    @Test("failures wait twice as long each, up to an hour, and a clock set back does not wait for ever")
    func backoff() throws {
        var state = RegistrationState()
        state.backoff.failed(at: start)
        #expect(state.next(try facts(), at: start) == .wait(until: start + .seconds(5)))
        for _ in 0..<20 { state.backoff.failed(at: start) }
        #expect(state.backoff.notBefore == start + AppLimits.longestRetryWait)
        #expect(state.backoff.mayTry(at: start - .seconds(86400)))
    }

    @Test("a network that may be back ends a wait for it, but not one that the service asked for")
    func networkBack() {
        var backoff = RetryState()
        backoff.failed(at: start, noAnswer: true)
        backoff.networkMayBeBack()
        #expect(backoff.mayTry(at: start))
        backoff.failed(at: start, noAnswer: false)
        backoff.networkMayBeBack()
        #expect(!backoff.mayTry(at: start))
    }
}
