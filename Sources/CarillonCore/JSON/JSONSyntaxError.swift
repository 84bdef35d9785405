import Foundation

/// What is wrong with a text that should be JSON.
public struct JSONSyntaxError: Error, Sendable, CustomStringConvertible {
    /// A sentence for a person, with the place in the text where Foundation names one.
    public let description: String

    init(description: String) { self.description = description }

    init(underlying: any Error) {
        if case DecodingError.dataCorrupted(let context) = underlying {
            let detail = (context.underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey] as? String
            // Foundation's own text repeats that it is not valid JSON, and says nothing else.
            description = "not valid JSON: \(detail ?? "it ends too early, or something in it is out of place")"
        } else {
            description = "not valid JSON: \(underlying)"
        }
    }
}
