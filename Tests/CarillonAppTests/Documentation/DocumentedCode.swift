import CarillonApp
import CarillonDevice
import Foundation
import Testing
import UIKit

// What the DocC pages show and Chime does not do, word for word: Tests/TidyTests compares.

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
    _ carillon: Carillon, clock: any CarillonClock, report: @escaping @Sendable (CarillonEvent) -> Void,
    otherSDK: @escaping ([AnyHashable: Any], @escaping (UIBackgroundFetchResult) -> Void) -> Void
) -> DelegateChain {
    let chain = DelegateChain(clock: clock, report: report)
    chain.add(.carillon(carillon, handles: { !DelegateLink.foreign($0) }))
    chain.add(
        DelegateLink(
            name: "the other SDK", handles: DelegateLink.foreign,
            remoteNotification: { userInfo, answer in otherSDK(userInfo, answer) }))
    return chain
}

/// An app with nothing but a banner of its own.
private final class BrandApp: UIResponder, UIApplicationDelegate {
    private var banner: BannerPresenter?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let platform = AppPlatform.current(appGroup: nil)
        let banner = BannerPresenter(application: application, clock: platform.clock, surroundings: .system)
        banner.makeBody = { _ in BrandBar() }
        banner.show(BannerContent(id: "a", title: "In our own colours", body: ""))
        self.banner = banner
        return true
    }

}

@MainActor @Suite("What the documentation shows") struct DocumentedCode {
    @Test("a banner's body may be the app's own: its words and its height are there")
    func ownBody() async throws {
        try await AppUnderTest.run({ BrandApp() }) { app in
            try await app.open()
            try await app.advance(by: .seconds(1))
            #expect(app.texts.contains("In our own colours"))
            let tree = try #require(app.phone.viewTree(of: app.bundleID))
            #expect(tree.first { $0.frame.height == 44 && $0.cornerRadius == 12 } != nil)
        }
    }
}
