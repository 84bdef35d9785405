import SwiftASN1

/// The object identifiers in the certificates that Apple issues to senders.
enum AppleOID {
    /// The UID in a certificate's subject; its value is the topic.
    static let userID: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]
    static let sandbox: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 1]
    static let production: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 2]
    /// Apple's certificate extension that lists several topics.
    ///
    /// Each topic is followed by its purposes ("app", "voip", "complication").
    static let topics: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 6]
}
