import Foundation

/// Code that is fed with bytes from outside: it must neither crash nor hang, and its claims about them must hold.
struct Harness: Sendable {
    let name: String
    let run: @Sendable ([UInt8]) -> Void

    static let all =
        payloadHarnesses + dialectHarnesses + http2Harnesses + simulatorHarnesses + serviceHarnesses
        + credentialHarnesses + deviceHarnesses

    /// The one that the first argument names.
    static let chosen = all.first { CommandLine.arguments.dropFirst().first == $0.name }

    /// Stops the program unless a claim about the input holds. libFuzzer takes the trap for a finding and keeps the input.
    static func demand(_ isTrue: Bool, _ claim: @autoclosure () -> String) {
        guard !isTrue else { return }
        print("does not hold: \(claim())")
        abort()
    }
}
