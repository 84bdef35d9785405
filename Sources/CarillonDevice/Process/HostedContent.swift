import Foundation
@_spi(Simulation) import UIKit
import UserNotificationsUI

/// A running content extension: its process, its controller in a window, and the values set through its context.
@MainActor final class HostedContent: ExtensionContextBackend {
    let process: AppProcess
    private let extensionPoint: ContentExtension
    private let width: Double
    private let notification: UNNotification
    private(set) var controller: (any ContentExtension.Controller)?
    private var window: UIWindow?
    private(set) var isPlaying = false
    var notificationActions: [UNNotificationAction]?

    init(_ extensionPoint: ContentExtension, in process: AppProcess, width: Double, for notification: UNNotification) {
        self.extensionPoint = extensionPoint
        self.process = process
        self.width = width
        self.notification = notification
    }

    /// Makes the content extension's view controller and passes the notification to the controller.
    ///
    /// The caller must run this method in the extension's process.
    func begin(actions: [UNNotificationAction]) {
        notificationActions = actions
        let controller = extensionPoint.make()
        self.controller = controller
        controller.hostedExtensionContext = NSExtensionContext(backend: self)
        let window = UIWindow(frame: CGRect(x: 0, y: 0, width: width, height: height))
        controller.loadViewIfNeeded()
        controller.didReceive(notification)
        window.rootViewController = controller
        window.isHidden = false
        self.window = window
        layOut()
    }

    func press() {
        isPlaying.toggle()
        if isPlaying { controller?.mediaPlay() } else { controller?.mediaPause() }
    }

    func layOut() {
        window?.frame = CGRect(x: 0, y: 0, width: width, height: height)
        window?.layoutIfNeeded()
    }

    private var height: Double {
        let preferred = Double(controller?.preferredContentSize.height ?? 0)
        return preferred > 0 ? preferred : width * extensionPoint.initialContentSizeRatio
    }

    var described: ExpandedNotification.Content {
        ExpandedNotification.Content(
            width: width, height: height, hidesDefaultContent: extensionPoint.hidesDefaultContent,
            mediaButton: mediaButton)
    }

    private var mediaButton: ExpandedNotification.MediaButton? {
        guard let controller, controller.mediaPlayPauseButtonType != .none else { return nil }
        let frame = controller.mediaPlayPauseButtonFrame
        return ExpandedNotification.MediaButton(
            isOverlay: controller.mediaPlayPauseButtonType == .overlay,
            frame: .init(
                x: Double(frame.minX), y: Double(frame.minY), width: Double(frame.width), height: Double(frame.height)),
            color: controller.mediaPlayPauseButtonTintColor.rgba, isPlaying: isPlaying)
    }

    // MARK: ExtensionContextBackend

    func performNotificationDefaultAction() {
        let (id, bundleID) = (notification.request.identifier, process.bundle.bundleID)
        process.kernel.mailbox.post { [process] in
            process.kernel.tasks.begin("the default action of \(id)") {
                try? await process.system?.person.tap(id, in: bundleID)
            }
        }
    }

    func dismissNotificationContentExtension() {
        process.kernel.mailbox.post { [process] in process.system?.life.screen.collapse() }
    }

    func mediaPlaying(_ isPlaying: Bool) {
        self.isPlaying = isPlaying
        process.kernel.changed(.screen)
    }
}
