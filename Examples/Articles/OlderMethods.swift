import UIKit

// Apps from before iOS 7, which have the method without a completion handler.

/// A push as the documentation of the older method describes it.
struct OldPush: CustomStringConvertible {
    let userInfo: [AnyHashable: Any]

    private var aps: [String: Any]? { userInfo["aps"] as? [String: Any] }

    /// The alert: a text, or the body of a dictionary.
    var alert: String? { aps?["alert"] as? String ?? (aps?["alert"] as? [String: Any])?["body"] as? String }

    var description: String {
        "\(alert ?? "no alert"), badge \(aps?["badge"] as? Int ?? -1), \(aps?["sound"] as? String ?? "no sound")"
    }
}

final class OlderMethodApp: UIResponder, UIApplicationDelegate {
    private(set) var heard: [String] = []

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]?
    ) -> Bool {
        if let userInfo = launchOptions?[.remoteNotification] as? [AnyHashable: Any] {
            heard.append("launched for \(OldPush(userInfo: userInfo))")
        }
        return true
    }

    func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {
        heard.append("\(OldPush(userInfo: userInfo))")
    }
}

/// An app with both methods; iOS calls only the newer one.
final class OlderAndNewerApp: UIResponder, UIApplicationDelegate {
    private(set) var heard: [String] = []

    func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {
        heard.append("older: \(OldPush(userInfo: userInfo))")
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        heard.append("newer: \(OldPush(userInfo: userInfo))")
        completionHandler(.newData)
    }
}
