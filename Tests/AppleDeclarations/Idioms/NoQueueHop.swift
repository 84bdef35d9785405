// Swift 5: accepted · Swift 5, main actor by default: accepted · Swift 6: warned · Swift 6, main actor by default: warned
import UIKit
import UserNotifications

func registerWithoutHop() {
    UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { granted, error in
        if granted { UIApplication.shared.registerForRemoteNotifications() }
    }
}
