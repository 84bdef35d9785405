import Foundation
import Testing

/// The switch for tests that take too long for every run; `make test-long` and `make simulate` turn it on.
enum LongTests {
    static let areAsked = ["CARILLON_LONG_TESTS", "MINUTES"].contains { ProcessInfo.processInfo.environment[$0] != nil }
    static let comment: Comment = "make test-long plays it"
    /// All of them if long tests are asked for; else one.
    static func all<Case>(_ cases: [Case]) -> [Case] { areAsked ? cases : Array(cases.prefix(1)) }
}
