import CarillonApp
import CarillonCore
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

/// Stands for Firebase's, which has these names.
@MainActor final class Messaging {
    private static let shared = Messaging()
    var apnsToken: Data?
    private(set) var received = 0

    static func messaging() -> Messaging { shared }
    func appDidReceiveMessage(_ userInfo: [AnyHashable: Any]) { received += 1 }
}

@MainActor func besideFirebase(_ chain: DelegateChain, _ carillon: Carillon, showSettings: @escaping () -> Void) {
    chain.add(.carillon(carillon, handles: { !DelegateLink.foreign($0) }))
    chain.add(
        DelegateLink(
            name: "Firebase", handles: DelegateLink.foreign,
            remoteNotification: { userInfo, answer in
                Messaging.messaging().appDidReceiveMessage(userInfo)
                answer(.newData)
            },
            didRegister: { Messaging.messaging().apnsToken = $0 }))
    chain.add(DelegateLink(name: "the app", openSettings: { _ in showSettings() }))
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
    @Test("beside Firebase each gets what is its own, and both get the device token")
    func firebase() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            let carillon = try #require(fixture.app?.carillon)
            let chain = DelegateChain(clock: fixture.clock, report: { _ in })
            var settings = 0
            besideFirebase(chain, carillon) { settings += 1 }
            chain.didRegister(deviceToken: Data([1, 2, 3]))
            chain.didFailToRegister(error: URLError(.notConnectedToInternet))
            chain.openSettings(for: nil)
            var answers: [UIBackgroundFetchResult] = []
            chain.handle(remoteNotification: ["gcm.message_id": "1"]) { answers.append($0) }
            #expect(Messaging.messaging().apnsToken == Data([1, 2, 3]) && Messaging.messaging().received == 1)
            #expect(answers == [.newData] && settings == 1)
            let told = fixture.log.all.filter { if case .noDeviceToken = $0 { true } else { false } }
            #expect(told.count == 1)
        }
    }

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
