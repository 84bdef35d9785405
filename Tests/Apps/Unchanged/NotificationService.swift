import CommonCrypto
import CryptoKit
import UserNotifications
import os.log

/// Decrypts what a server of some years ago has encrypted, with the modules as Apple's platforms have them.
class NotificationService: UNNotificationServiceExtension {
    private static let log = Logger(subsystem: "app.unchanged", category: "push")
    private static let counted = OSAllocatedUnfairLock(initialState: 0)
    static var pushCount: Int { counted.withLock { $0 } }

    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var content: UNMutableNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        content = request.content.mutableCopy() as? UNMutableNotificationContent
        Self.counted.withLock { $0 += 1 }
        guard let content else { return contentHandler(request.content) }
        if let sealed = (content.userInfo["sealed"] as? String).flatMap({ Data(base64Encoded: $0) }) {
            content.body = Cipher(password: "open sesame").open(sealed) ?? "Something new"
            os_log("opened %{public}@", log: .default, type: .info, request.identifier)
        }
        content.threadIdentifier = (content.userInfo["from"] as? String ?? "").md5
        if let key = UserDefaults(suiteName: "group.app.unchanged")?.data(forKey: "key") {
            let code = HMAC<SHA256>.authenticationCode(for: Data(content.body.utf8), using: SymmetricKey(data: key))
            content.subtitle = Data(code).prefix(4).map { String(format: "%02x", $0) }.joined()
        }
        Self.log.debug("shown \(request.identifier, privacy: .public)")
        contentHandler(content)
    }

    /// Stores the key for the extension, as the app does.
    static func remember(_ key: Data, in suite: String) {
        UserDefaults(suiteName: suite)?.set(key, forKey: "key")
    }

    override func serviceExtensionTimeWillExpire() {
        if let content { contentHandler?(content) }
    }
}

extension String {
    /// In hexadecimal digits.
    var md5: String {
        let data = Data(utf8)
        var digest = [UInt8](repeating: 0, count: Int(CC_MD5_DIGEST_LENGTH))
        _ = data.withUnsafeBytes { CC_MD5($0.baseAddress, CC_LONG(data.count), &digest) }
        return digest.map { String(format: "%02x", $0) }.joined()
    }
}
