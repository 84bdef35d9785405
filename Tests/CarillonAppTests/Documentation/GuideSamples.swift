import CarillonApp
import CarillonBanner
import UIKit

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
            didRegister: { Messaging.messaging().apnsToken = $0 }))
    chain.add(Carillon.DelegateChain.Link(name: "the app", openSettings: { _ in showSettings() }))
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
