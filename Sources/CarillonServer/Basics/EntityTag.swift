import CarillonCore
import Crypto
import Foundation

/// Strong entity tags of resources that can be edited ([RFC 9110 §8.8.3](https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3)).
enum EntityTag {
    /// Returns the tag of a resource with these values, in quotation marks.
    static func of(_ values: [String]) -> String {
        var hash = SHA256()
        // The length keeps two values apart.
        for value in values { hash.update(data: Data("\(value.utf8.count) \(value)".utf8)) }
        return "\"\(Data(hash.finalize()).prefix(8).hexadecimal)\""
    }

    /// Returns the tags of a header `If-Match`.
    ///
    /// The result is `nil` for `*`, which every resource matches. Weak tags are left out, because they match none
    /// ([RFC 9110 §13.1.1](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1)).
    static func listed(_ header: String) -> [String]? {
        guard header != "*" else { return nil }
        return header.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            $0.hasPrefix("\"")
        }
    }
}

/// The error that a resource has changed since its caller read it.
struct OtherEntityTag: Error {}
