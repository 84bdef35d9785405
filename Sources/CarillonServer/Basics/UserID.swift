/// The rules for a user's id, which the backend chooses.
enum UserID {
    static let rule = "a user's id has 1 to \(DeliveryLimits.userIDBytes) bytes and no control characters"

    /// Compares two ids byte for byte.
    ///
    /// Swift's `==` treats composed and decomposed é as equal; a database does not.
    static func isEqual(_ left: String, _ right: String?) -> Bool {
        right.map { left.utf8.elementsEqual($0.utf8) } ?? false
    }

    static func isValid(_ text: String) -> Bool {
        (1...DeliveryLimits.userIDBytes).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }
}
