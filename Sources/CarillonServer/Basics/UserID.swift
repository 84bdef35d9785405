/// What may name a user: the customer's own id.
enum UserID {
    static let rule = "a user's id has 1 to \(ServiceLimits.userIDBytes) bytes and no control characters"

    /// Whether two ids are the same, byte for byte.
    ///
    /// Swift's `==` takes an é and an e with an accent for the same letter; a database does not.
    static func isEqual(_ left: String, _ right: String?) -> Bool {
        right.map { left.utf8.elementsEqual($0.utf8) } ?? false
    }

    static func isValid(_ text: String) -> Bool {
        (1...ServiceLimits.userIDBytes).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }
}
