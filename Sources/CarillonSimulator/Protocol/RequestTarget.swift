/// The target of a push request: the device token, as the text in the path.
///
/// The simulator parses the token only after it has checked the sender's credential.
struct RequestTarget: Sendable, Hashable {
    var deviceTokenText: Substring

    static let pathPrefix = "/3/device/"

    /// Checks the path, the method and the ids of a push request, from ``RequestCheck/path`` to ``RequestCheck/messageID``.
    static func check(_ head: RequestHead) throws(Rejection) -> RequestTarget {
        guard head.path.hasPrefix(pathPrefix) || head.path == "/3/device" else {
            throw Rejection(.badPath, by: .path, detail: "the path is not /3/device/<device token>")
        }
        let tokenText = Substring(head.path.utf8.dropFirst(pathPrefix.utf8.count))
        guard !tokenText.utf8.contains(UInt8(ascii: "/")) else {
            throw Rejection(.badPath, by: .path, detail: "the path has more parts after the device token")
        }
        guard head.method == "POST" else {
            throw Rejection(.methodNotAllowed, by: .method, detail: "only POST is allowed, not \(head.method)")
        }
        try checkIdentity(head)
        return RequestTarget(deviceTokenText: tokenText)
    }

    /// Performs the checks ``RequestCheck/duplicateHeaders`` and ``RequestCheck/messageID``.
    static func checkIdentity(_ head: RequestHead) throws(Rejection) {
        if let name = head.duplicate {
            throw Rejection(.duplicateHeaders, by: .duplicateHeaders, detail: "\(name) came more than once")
        }
        for id in [head.apnsID, head.requestID].compactMap(\.self) where !MessageIdentifier.isWellFormed(id) {
            throw Rejection(
                .badMessageID, by: .messageID, detail: "the id is not a UUID of 32 hexadecimal digits, 8-4-4-4-12")
        }
    }
}
