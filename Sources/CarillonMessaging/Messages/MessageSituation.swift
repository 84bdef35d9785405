/// What ``MessagePolicy/received(_:in:at:)`` must know beside what it remembers.
package struct MessageSituation: Sendable, Hashable {
    /// Whether removals are carried out; the default is `true`.
    package var carriesOutRecalls = true
    /// Whether the person has signed out and the service has not confirmed it; the default is `false`.
    package var signedOut = false
    /// Whether the service extension may let a notification not appear at all; the default is `false`.
    package var maySuppress = false

    package init(carriesOutRecalls: Bool = true, signedOut: Bool = false, maySuppress: Bool = false) {
        self.carriesOutRecalls = carriesOutRecalls
        self.signedOut = signedOut
        self.maySuppress = maySuppress
    }
}
