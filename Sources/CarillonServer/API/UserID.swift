/// What may name a user: the customer's own id.
enum UserID {
    static let rule = "a user's id has 1 to \(ServiceLimits.userIDBytes) bytes and no control characters"

    static func isValid(_ text: String) -> Bool {
        (1...ServiceLimits.userIDBytes).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }
}
