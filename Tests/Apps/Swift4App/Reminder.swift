import Dispatch
import UIKit
import UserNotifications

/// Code of 2017, in Swift 4 mode: names of before they were nested, and a sound that is a function.
public func reminder(_ title: String) -> UNNotificationRequest {
    let content = UNMutableNotificationContent()
    content.title = title
    content.sound = UNNotificationSound.default()
    return UNNotificationRequest(identifier: title, content: content, trigger: nil)
}

public func remoteNotification(in options: [UIApplicationLaunchOptionsKey: Any]?) -> [AnyHashable: Any]? {
    return options?[UIApplicationLaunchOptionsKey.remoteNotification] as? [AnyHashable: Any]
}

public func isOver(_ task: UIBackgroundTaskIdentifier) -> Bool { return task == UIBackgroundTaskInvalid }

/// Registers for pushes on a queue of its own.
public func register(_ application: UIApplication, on queue: DispatchQueue) {
    queue.async { application.registerForRemoteNotifications() }
}

/// Works on a queue of its own, with a background task that begins and ends there.
public func work(for application: UIApplication, on queue: DispatchQueue, _ body: @escaping () -> Void) {
    queue.async {
        let task = application.beginBackgroundTask(expirationHandler: nil)
        body()
        application.endBackgroundTask(task)
    }
}
