import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
import UserNotificationsUI

/// The expanded notification, and the content extension that draws it.
extension Person {
    func expand(_ notificationID: String, in bundleID: String) async throws(PhoneError) {
        let (app, notification) = try find(notificationID, in: bundleID)
        screen.collapse()
        let category = notification.request.content.categoryIdentifier
        let matching = app.bundle.contentExtensions.first { $0.categories.contains(category) }
        guard let matching else {
            screen.expand(.init(app: app, notification: notification, content: nil))
            return kernel.changed(.screen)
        }
        let actions = actions(of: notification, app)
        let process = life.startContentExtension(of: app)
        let content = HostedContent(matching, in: process, width: screen.shape.width, for: notification)
        screen.expand(.init(app: app, notification: notification, content: content))
        await kernel.call(process, "didReceive notification") { content.begin(actions: actions) }
        if let controller = content.controller { life.inspect([controller], of: app) }
        kernel.changed(.screen)
    }

    /// Passes a response to the content extension first, if the notification is expanded and an extension draws it.
    ///
    /// - Parameters:
    ///   - response: the person's response.
    ///   - forward: called if the extension forwards the response, or if there is no extension.
    func askContentExtension(
        _ response: UNNotificationResponse, forward: @escaping @MainActor @Sendable () async -> Void
    ) async {
        guard let expansion = screen.expansion, let content = expansion.content, let controller = content.controller,
            expansion.notification.request.identifier == response.notification.request.identifier
        else {
            screen.collapse()
            return await forward()
        }
        let handler: CompletionHandler<UNNotificationContentExtensionResponseOption> = background.completionHandler(
            "the content extension", of: content.process, seconds: kernel.rules.serviceExtensionSeconds,
            report: { [traces] in traces.note($0.sentence, about: response) })
        background.follow(handler) { [self] outcome in
            switch outcome.value {
            case .doNotDismiss, nil: kernel.changed(.screen)
            case .dismiss:
                screen.collapse()
                take(response.notification, from: expansion.app)
            case .dismissAndForwardAction:
                screen.collapse()
                kernel.tasks.begin("what the content extension has forwarded") { await forward() }
            }
        }
        await kernel.call(content.process, "didReceive response") {
            controller.didReceive(response, completionHandler: handler.call)
        }
    }
}
