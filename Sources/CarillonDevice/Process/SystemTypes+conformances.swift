import BackgroundTasks
import CallKit
import CoreLocation
import PushKit
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
// `@unchecked`: all but the delegate, which is the app's to keep to one thread, is locked.
extension PKPushRegistry: @unchecked Sendable {}
// `@unchecked`: immutable.
extension PKPushCredentials: @unchecked Sendable {}
extension PKPushPayload: @unchecked Sendable {}  // `@unchecked`: immutable
extension CXProvider: @unchecked Sendable {}  // `@unchecked`: locked
extension CXCallObserver: @unchecked Sendable {}  // `@unchecked`: locked
extension CXCall: @unchecked Sendable {}  // `@unchecked`: immutable
// `@unchecked`: what the phone uses of one is locked or immutable.
extension CXAction: @unchecked Sendable {}
// `@unchecked`: the app hands it over.
extension CXTransaction: @unchecked Sendable {}
// `@unchecked`: locked.
extension BGTask: @unchecked Sendable {}
// `@unchecked`: two numbers.
extension CLLocationCoordinate2D: @unchecked Sendable {}

extension UNAuthorizationOptions: Hashable {}
extension UNNotificationPresentationOptions: Hashable {}

/// A payload on its way to the app.
///
/// `@unchecked`: nobody changes it, because it was decoded for this one notification.
struct UncheckedUserInfo: @unchecked Sendable {
    let value: [AnyHashable: Any]

    init(_ value: [AnyHashable: Any]) { self.value = value }
}
