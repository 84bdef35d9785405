import BackgroundTasks
import CallKit
import CoreLocation
import PushKit
import UIKit
import UserNotifications

// Apple's types are not Sendable, and its option sets are not Hashable, so an app must not see these conformances on our types.
// The phone, which is the system here, needs them to pass the types between the app's threads and its own.

// A mutable content is copied before it leaves the app.
extension UNNotification: @unchecked Sendable {}  // `@unchecked`: immutable
extension UNNotificationRequest: @unchecked Sendable {}  // `@unchecked`: immutable
extension UNNotificationContent: @unchecked Sendable {}  // `@unchecked`: immutable
extension UNNotificationResponse: @unchecked Sendable {}  // `@unchecked`: immutable
extension UNNotificationCategory: @unchecked Sendable {}  // `@unchecked`: immutable
extension UNNotificationSettings: @unchecked Sendable {}  // `@unchecked`: immutable
extension UNNotificationTrigger: @unchecked Sendable {}  // `@unchecked`: immutable
// `@unchecked`: its backend is Sendable and never replaced, and its delegate is behind a lock.
extension UNUserNotificationCenter: @unchecked Sendable {}
// `@unchecked`: made by the phone for one call.
extension NSUserActivity: @unchecked Sendable {}
// `@unchecked`: everything has a lock except the delegate, which the app keeps to one thread.
extension PKPushRegistry: @unchecked Sendable {}
// `@unchecked`: immutable.
extension PKPushCredentials: @unchecked Sendable {}
extension PKPushPayload: @unchecked Sendable {}  // `@unchecked`: immutable
extension CXProvider: @unchecked Sendable {}  // `@unchecked`: locked
extension CXCallObserver: @unchecked Sendable {}  // `@unchecked`: locked
extension CXCall: @unchecked Sendable {}  // `@unchecked`: immutable
// `@unchecked`: the parts that the phone uses are locked or immutable.
extension CXAction: @unchecked Sendable {}
// `@unchecked`: the app hands the transaction over and no longer uses it.
extension CXTransaction: @unchecked Sendable {}
// `@unchecked`: locked.
extension BGTask: @unchecked Sendable {}
// `@unchecked`: two numbers.
extension CLLocationCoordinate2D: @unchecked Sendable {}

extension UNAuthorizationOptions: Hashable {}
extension UNNotificationPresentationOptions: Hashable {}

/// The payload of a push, on its way to the app's code.
///
/// `@unchecked`: the phone has decoded the payload for this push only, and nothing modifies it afterwards.
struct UncheckedUserInfo: @unchecked Sendable {
    let value: [AnyHashable: Any]

    init(_ value: [AnyHashable: Any]) { self.value = value }
}
