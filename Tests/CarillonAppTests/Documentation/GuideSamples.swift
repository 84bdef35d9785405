import CarillonApp
import CarillonBanner
import CarillonExtension
import UIKit
import UserNotifications

// What the DocC pages show and Chime does not do, word for word: Tests/TidyTests compares. Also checked against Apple's
// declarations, in Swift 5 and 6.

/// A bar in the brand's colour with one line of text.
final class BrandBar: UIView, BannerBody {
    private let label = UILabel(frame: .zero)

    func display(_ content: BannerContent) {
        backgroundColor = .systemIndigo
        layer.cornerRadius = 12
        label.textColor = .white
        label.text = content.title
        if label.superview == nil { addSubview(label) }
    }

    func height(width: CGFloat, isExpanded: Bool) -> CGFloat {
        label.frame = CGRect(x: 16, y: 12, width: width - 32, height: 20)
        return 44
    }
}

@MainActor func chain(
    _ carillon: Carillon,
    otherSDK: @escaping ([AnyHashable: Any], @escaping (UIBackgroundFetchResult) -> Void) -> Void
) -> Carillon.DelegateChain {
    let chain = Carillon.DelegateChain()
    chain.add(.carillon(carillon, handles: { !Carillon.DelegateChain.Link.foreign($0) }))
    chain.add(
        Carillon.DelegateChain.Link(
            name: "the other SDK", handles: Carillon.DelegateChain.Link.foreign,
            remoteNotification: { userInfo, answer in otherSDK(userInfo, answer) }))
    return chain
}

/// Stands for Firebase's, which has these names.
@MainActor final class Messaging {
    private static let shared = Messaging()
    var apnsToken: Data?
    private(set) var received = 0

    static func messaging() -> Messaging { shared }
    func appDidReceiveMessage(_ userInfo: [AnyHashable: Any]) { received += 1 }
}

@MainActor func besideFirebase(
    _ chain: Carillon.DelegateChain, _ carillon: Carillon, showSettings: @escaping () -> Void
) {
    chain.add(.carillon(carillon, handles: { !Carillon.DelegateChain.Link.foreign($0) }))
    chain.add(
        Carillon.DelegateChain.Link(
            name: "Firebase", handles: Carillon.DelegateChain.Link.foreign,
            remoteNotification: { userInfo, answer in
                Messaging.messaging().appDidReceiveMessage(userInfo)
                answer(.newData)
            },
            willPresent: { notification, answer in
                Messaging.messaging().appDidReceiveMessage(notification.request.content.userInfo)
                answer([.banner, .list, .sound, .badge])
            },
            didReceive: { response, answer in
                Messaging.messaging().appDidReceiveMessage(response.notification.request.content.userInfo)
                answer()
            },
            didRegister: { Messaging.messaging().apnsToken = $0 }))
    chain.add(Carillon.DelegateChain.Link(name: "the app", openSettings: { _ in showSettings() }))
}

/// Stands for another SDK's.
nonisolated final class OtherServiceExtension: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        content.subtitle = "by the other SDK"
        contentHandler(content)
    }
}

nonisolated final class SharedNotificationService: CarillonServiceExtension {
    private let other = OtherServiceExtension()

    override var appGroup: String? { "group.com.example.app" }

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard Self.handles(request) else { return other.didReceive(request, withContentHandler: contentHandler) }
        super.didReceive(request, withContentHandler: contentHandler)
    }

    override func serviceExtensionTimeWillExpire() {
        other.serviceExtensionTimeWillExpire()
        super.serviceExtensionTimeWillExpire()
    }
}

/// An app with nothing but a banner of its own.
final class BrandApp: UIResponder, UIApplicationDelegate {
    private var banner: BannerPresenter?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let banner = BannerPresenter(application: application)
        banner.makeBody = { _ in BrandBar() }
        banner.show(BannerContent(id: "a", title: "In our own colours", body: ""))
        self.banner = banner
        return true
    }
}
