import Crypto
import Foundation
import UserNotifications

/// Opens a sealed letter, fetches its picture, and counts it in the folder shared with the app.
public final class CourierService: UNNotificationServiceExtension {
    public static let appGroup = "group.courier"
    /// In a real app from the keychain that app and extension share.
    public static let key = SymmetricKey(data: Data(repeating: 7, count: 32))

    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var bestAttempt: UNMutableNotificationContent?

    public override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
            return contentHandler(request.content)
        }
        bestAttempt = content
        if let sealed = content.userInfo["sealed"] as? String, let text = Self.open(sealed) { content.body = text }
        content.badge = count().map { NSNumber(value: $0) }
        guard let picture = (content.userInfo["picture"] as? String).flatMap(URL.init(string:)) else {
            return contentHandler(content)
        }
        // Used by one at a time: here, then in the answer.
        nonisolated(unsafe) let (shown, show) = (content, contentHandler)
        // Longer than the system's limit, which ends the wait: see serviceExtensionTimeWillExpire().
        let request = URLRequest(url: picture, timeoutInterval: 600)
        let task = URLSession.shared.downloadTask(with: request) { file, response, _ in
            let isFound = (response as? HTTPURLResponse)?.statusCode == 200
            if isFound, let file, let attachment = Self.attachment(file) { shown.attachments = [attachment] }
            show(shown)
        }
        task.resume()
    }

    public override func serviceExtensionTimeWillExpire() {
        guard let bestAttempt else { return }
        bestAttempt.title += " (without its picture)"
        contentHandler?(bestAttempt)
    }

    private static func open(_ sealed: String) -> String? {
        guard let data = Data(base64Encoded: sealed), let box = try? AES.GCM.SealedBox(combined: data),
            let text = try? AES.GCM.open(box, using: key)
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// The downloaded file goes when the handler returns, and has no extension that would tell its kind.
    private static func attachment(_ file: URL) -> UNNotificationAttachment? {
        let kept = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".png")
        guard (try? FileManager.default.moveItem(at: file, to: kept)) != nil else { return nil }
        return try? UNNotificationAttachment(identifier: "picture", url: kept)
    }

    /// Counts this letter, and returns the number of letters so far.
    private func count() -> Int? {
        let group = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: Self.appGroup)
        guard let file = group?.appending(path: "count") else { return nil }
        let count = 1 + ((try? String(contentsOf: file, encoding: .utf8)).flatMap { Int($0) } ?? 0)
        try? Data("\(count)".utf8).write(to: file)
        return count
    }
}
