import CoreLocation
import UIKit
import UserNotifications

// Apple's types are not Sendable, nor its option sets Hashable, and so neither are ours to an app. The phone, which is the system here, takes them from
// the app's threads to its own and back.

// `@unchecked`: immutable; a mutable content is copied before it leaves the app.
extension UNNotification: @unchecked Sendable {}
extension UNNotificationRequest: @unchecked Sendable {}
extension UNNotificationContent: @unchecked Sendable {}
extension UNNotificationResponse: @unchecked Sendable {}
extension UNNotificationCategory: @unchecked Sendable {}
extension UNNotificationSettings: @unchecked Sendable {}
extension UNNotificationTrigger: @unchecked Sendable {}
// `@unchecked`: what is behind it is Sendable and never replaced, its delegate is behind a lock.
extension UNUserNotificationCenter: @unchecked Sendable {}
// `@unchecked`: made by the phone for one call.
extension NSUserActivity: @unchecked Sendable {}
// `@unchecked`: two numbers.
extension CLLocationCoordinate2D: @unchecked Sendable {}

extension UNAuthorizationOptions: Hashable {}
extension UNNotificationPresentationOptions: Hashable {}
