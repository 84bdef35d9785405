import Foundation

/// Default implementations of the methods that an app's delegate lacks.
///
/// The completion handler variant calls the async variant, and vice versa; ``OptionalMethod`` prevents endless recursion.
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
            guard let executor = SimulatedDevices.current?.taskExecutor else {
                let (delegate, center, response) = call.value
                await delegate.userNotificationCenter(center, didReceive: response)
                return completionHandler()
            }
            if await HopWatch.mainActorRuns(call, before: executor) {
                await MainActor.run { completionHandler() }
            } else {
                completionHandler()
            }
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

/// The arguments of a delegate method, passed into a task.
///
/// `@unchecked`: as on iOS, the delegate's method uses the arguments on the main thread or, if it is async, on its own executor.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
