import Foundation

/// Code that is fed with bytes from outside: it must neither crash nor hang, and its claims about them must hold.
struct Harness: Sendable {
    let name: String
    let run: @Sendable ([UInt8]) -> Void

    static let all =
        payloadHarnesses + dialectHarnesses + http2Harnesses + simulatorHarnesses + serviceHarnesses
        + credentialHarnesses + deviceHarnesses

    /// Ends the program, or fails the test, unless a claim about the input holds.
    static func demand(_ isTrue: Bool, _ claim: @autoclosure () -> String) {
        if !isTrue { claimFailed(claim()) }
    }
}
