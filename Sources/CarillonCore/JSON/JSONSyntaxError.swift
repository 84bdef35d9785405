import Foundation

/// What is wrong with a text that should be JSON.
public struct JSONSyntaxError: Error, Sendable, CustomStringConvertible {
    /// A sentence for a person, with the place in the text where Foundation names one.
    public let description: String

    init(description: String) { self.description = description }

    init(underlying: any Error) {
        let detail = (underlying as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
        description = "not valid JSON: \(detail ?? "it ends too early, or something in it is out of place")"
    }
}
