import CoreLocation
import UIKit
import UserNotifications

// Apple's types are not Sendable, nor its option sets Hashable, and so neither are ours to an app. The phone, which is the system here, takes them from
// the app's threads to its own and back.

// A mutable content is copied before it leaves the app.
extension UNNotification: @unchecked Sendable {}  // `@unchecked`: immutable
extension UNNotificationRequest: @unchecked Sendable {}  // `@unchecked`: immutable
extension UNNotificationContent: @unchecked Sendable {}  // `@unchecked`: immutable
extension UNNotificationResponse: @unchecked Sendable {}  // `@unchecked`: immutable
extension UNNotificationCategory: @unchecked Sendable {}  // `@unchecked`: immutable
extension UNNotificationSettings: @unchecked Sendable {}  // `@unchecked`: immutable
extension UNNotificationTrigger: @unchecked Sendable {}  // `@unchecked`: immutable
// `@unchecked`: what is behind it is Sendable and never replaced, its delegate is behind a lock.
extension UNUserNotificationCenter: @unchecked Sendable {}
// `@unchecked`: made by the phone for one call.
extension NSUserActivity: @unchecked Sendable {}
// `@unchecked`: two numbers.
extension CLLocationCoordinate2D: @unchecked Sendable {}

extension UNAuthorizationOptions: Hashable {}
extension UNNotificationPresentationOptions: Hashable {}
