/// The rule for a user's id, which is the customer's own.
enum UserID {
    static let rule = "a user's id has 1 to \(DeliveryLimits.userIDBytes) bytes and no control characters"

    /// Returns whether two ids are equal, byte for byte.
    ///
    /// Swift's `==` holds é in one code point and in two equal; a database does not.
    static func isEqual(_ left: String, _ right: String?) -> Bool {
        right.map { left.utf8.elementsEqual($0.utf8) } ?? false
    }

    static func isValid(_ text: String) -> Bool {
        (1...DeliveryLimits.userIDBytes).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }
}
