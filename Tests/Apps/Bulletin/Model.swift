// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import UIKit

struct NewsStory {
    let title: String
    let link: String
}

/// The stories that pushes have brought.
class NewsList {
    private(set) var stories: [NewsStory] = []

    @discardableResult func add(_ notification: [String: AnyObject]) -> NewsStory? {
        guard let title = notification["alert"] as? String, let link = notification["link_url"] as? String else {
            return nil
        }
        let story = NewsStory(title: title, link: link)
        stories.insert(story, at: 0)
        NotificationCenter.default.post(name: .storyHasCome, object: self)
        return story
    }
}

/// The podcast episodes, from a server.
class EpisodeList {
    var feed = URL(string: "http://127.0.0.1:9/")!
    private(set) var items: [String] = []

    func refreshItems(_ completion: @escaping (_ didLoadNewItems: Bool) -> Void) {
        let task = URLSession.shared.dataTask(with: feed) { data, _, _ in
            let lines = data.map { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) }
            DispatchQueue.main.async {
                let isNew = lines != nil && lines! != self.items
                self.items = lines ?? self.items
                completion(isNew)
            }
        }
        task.resume()
    }
}

extension Notification.Name {
    static let storyHasCome = Notification.Name("StoryHasCome")
}

/// Notifications that the app makes of silent pushes, so that another silent push can take them back.
enum Deletable {
    private static let prefix = "com.pushwoosh.notification."

    static func handle(
        _ userInfo: [AnyHashable: Any], _ completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) -> Bool {
        if let gone = userInfo["dlt"] {
            let identifier = "\(prefix)\(gone)"
            UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: [identifier])
            UserDefaults.standard.removeObject(forKey: identifier)
            // The list is asked so that the removal is over before the handler is called.
            UNUserNotificationCenter.current().getDeliveredNotifications { _ in completionHandler(.newData) }
            return true
        }
        guard let made = userInfo["crt"] else { return false }
        let content = UNMutableNotificationContent()
        content.title = userInfo["title"] as! String
        content.userInfo = userInfo
        let identifier = "\(prefix)\(made)"
        let request = UNNotificationRequest(identifier: identifier, content: content, trigger: nil)
        UNUserNotificationCenter.current().add(
            request,
            withCompletionHandler: { (error) in
                if error == nil {
                    UserDefaults.standard.set(identifier, forKey: identifier)
                }
                completionHandler(error == nil ? .newData : .failed)
            })
        return true
    }
}

/// Messages with a validity period. An expired one is not to be shown.
enum Perishable {
    static func handle(
        _ userInfo: [AnyHashable: Any], _ completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) -> Bool {
        guard let internalData = userInfo["internalData"] as? [String: Any] else { return false }
        if let validUntil = internalData["validUntil"] as? NSNumber,
            Date().timeIntervalSince1970 > validUntil.doubleValue / 1000.0
        {
            completionHandler(.noData)
            return true
        }
        guard internalData["silent"] != nil, internalData["inAppDetails"] == nil else { return false }
        let content = UNMutableNotificationContent()
        content.body = (internalData["silent"] as? [String: Any])?["body"] as? String ?? ""
        UNUserNotificationCenter.current().add(
            UNNotificationRequest(identifier: "perishable", content: content, trigger: nil)
        ) { _ in completionHandler(.newData) }
        return true
    }
}
