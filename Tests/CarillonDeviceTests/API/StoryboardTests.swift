import CarillonCore
import CarillonDevice
import Testing
import UIKit

/// An app whose window comes from its storyboard, as Xcode's template had it: it says nothing of a window but the property.
private final class StoryboardApp: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private(set) var rootAtLaunch: UIViewController?

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        rootAtLaunch = window?.rootViewController
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let alert = UIAlertController(title: "News", message: "Something has come", preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "OK", style: .default))
        window?.rootViewController?.present(alert, animated: false)
        let storyboard = UIStoryboard(name: "Main", bundle: nil)
        let detail: DetailController = storyboard.instantiateViewController(identifier: "Detail")
        detail.isOfStoryboard = detail.storyboard === storyboard
        (window?.rootViewController as? FirstController)?.detail = detail
        completionHandler(.newData)
    }
}

private final class FirstController: UIViewController {
    var detail: DetailController?
}

private final class DetailController: UIViewController {
    var isOfStoryboard = false
}

private final class StoryboardSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private(set) var rootAtConnection: UIViewController?

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        rootAtConnection = window?.rootViewController
    }
}

@MainActor @Suite("An app with a storyboard") struct StoryboardTests {
    private func bundle(usesScenes: Bool = false) -> AppBundle {
        var bundle = AppBundle(
            bundleID: "com.example.board", name: "Board", usesScenes: usesScenes,
            makeSceneDelegate: { StoryboardSceneDelegate() }, makeDelegate: { StoryboardApp() })
        bundle.mainStoryboard = "Main"
        bundle.storyboards["Main"] = AppBundle.Storyboard(
            controllers: ["Detail": { DetailController() }], makeInitial: { FirstController() })
        return bundle
    }

    @Test("has its window from the start, and shows an alert on it; controllers come by their identifiers")
    func window() async throws {
        try await AppUnderTest.run(bundle()) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.open()
            let delegate = try #require(app.delegate(as: StoryboardApp.self))
            #expect(delegate.rootAtLaunch is FirstController && delegate.window?.isKeyWindow == true)
            try await app.push(["aps": ["content-available": 1]])
            #expect(app.texts.contains("Something has come"))
            #expect((delegate.window?.rootViewController as? FirstController)?.detail?.isOfStoryboard == true)
        }
    }

    @Test("with scenes the scene's delegate has it")
    func scenes() async throws {
        try await AppUnderTest.run(bundle(usesScenes: true)) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.open()
            #expect(app.delegate(as: StoryboardApp.self)?.window == nil)
            var root: UIViewController?
            await app.phone.run(in: app.bundleID) {
                let delegate = UIApplication.shared.connectedScenes.first?.delegate as? StoryboardSceneDelegate
                root = delegate?.rootAtConnection
            }
            #expect(root is FirstController)
        }
    }
}
