/// Whether files with complete protection can be read, as a locked phone with a passcode forbids after a while.
///
/// Its methods note changes of the phone and return the actions to take. Apple's
/// [page](https://developer.apple.com/documentation/uikit/encrypting-your-app-s-files) says when, the
/// [Platform Security Guide](https://support.apple.com/guide/security/data-protection-classes-secb010e978a) the 10 s.
struct DataProtection: Sendable, Hashable {
    private enum State: Sendable, Hashable {
        case open
        /// The phone is locked, and the keys are still there.
        case closing
        case closed
    }

    private var state = State.open
    /// Whether the phone has a passcode; without one no file is ever closed.
    var hasPasscode: Bool

    init(hasPasscode: Bool) { self.hasPasscode = hasPasscode }

    var isAvailable: Bool { state != .closed }

    /// - Returns: whether apps are to be told, and the files closed after a while.
    mutating func locked() -> Bool {
        guard hasPasscode, state == .open else { return false }
        state = .closing
        return true
    }

    mutating func delayIsOver() { if state == .closing { state = .closed } }

    /// Closes the files of a phone with a passcode: until the first unlock afterwards it has no keys at all.
    mutating func switchedOff() { state = hasPasscode ? .closed : .open }

    /// - Returns: whether apps are to be told that their files are back.
    mutating func unlocked() -> Bool {
        defer { state = .open }
        return state != .open
    }
}
