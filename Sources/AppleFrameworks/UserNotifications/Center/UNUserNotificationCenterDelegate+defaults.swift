import Foundation

/// What stands in for a method that the app's delegate does not have. The completion form leads to the async form and
/// the other way round; ``OptionalMethod`` keeps the two from leading to each other for ever.
extension UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        let call = Unchecked<(any UNUserNotificationCenterDelegate, UNUserNotificationCenter, UNNotification)>(
            (self, center, notification))
        OptionalMethod("willPresent", of: self).completionFormIsMissing {
            let (delegate, center, notification) = call.value
            completionHandler(await delegate.userNotificationCenter(center, willPresent: notification))
        } neither: {
            completionHandler([])
        }
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        await OptionalMethod("willPresent", of: self).asyncFormIsMissing { answer in
            userNotificationCenter(center, willPresent: notification, withCompletionHandler: answer)
        } ?? []
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let call = Unchecked<(any UNUserNotificationCenterDelegate, UNUserNotificationCenter, UNNotificationResponse)>(
            (self, center, response))
        OptionalMethod("didReceive", of: self).completionFormIsMissing {
            let (delegate, center, response) = call.value
            await delegate.userNotificationCenter(center, didReceive: response)
            completionHandler()
        } neither: {
            completionHandler()
        }
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        _ = await OptionalMethod("didReceive", of: self).asyncFormIsMissing { answer in
            userNotificationCenter(center, didReceive: response, withCompletionHandler: { answer(true) })
        }
    }

    @available(iOS 12, *)
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {
        OptionalMethod.noteUnimplemented("openSettingsFor")
    }
}

/// What a call takes along into a task, where it is used as it would be used here: on the main thread, or by the
/// delegate's own async method on the executor that the method chose.
///
/// `@unchecked` for that reason.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
