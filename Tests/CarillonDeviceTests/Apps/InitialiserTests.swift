import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// Sets something up before iOS calls anything, as many delegates do.
private class EarlyDelegate: UIResponder, UIApplicationDelegate {
    private(set) var steps: [String]

    override init() {
        steps = ["init"]
        super.init()
        steps.append("set up")
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        steps.append("launched")
        return true
    }
}

private final class LaterDelegate: EarlyDelegate {
    let own = "own"
}

/// The superclass that SwiftUI's templates give a delegate.
final class PlainDelegate: NSObject, UIApplicationDelegate {
    var window: UIWindow?
    private(set) var token: Data?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = NoteController(text: "Hello")
        window?.makeKeyAndVisible()
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { token = deviceToken }
}

private final class NoteView: UIView {
    private let label: UILabel

    init(text: String) {
        label = UILabel(frame: CGRect(x: 0, y: 0, width: 200, height: 30))
        label.text = text
        super.init(frame: CGRect(x: 20, y: 100, width: 200, height: 30))
        addSubview(label)
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }
}

private class BaseController: UIViewController {
    init() { super.init(nibName: nil, bundle: nil) }

    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }
}

private final class NoteController: BaseController {
    private let text: String

    init(text: String) {
        self.text = text
        super.init()
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(NoteView(text: text))
    }
}

private final class CountingExtension: UNNotificationServiceExtension {
    private let prefix: String

    override init() {
        prefix = "From the extension: "
        super.init()
    }

    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        content.title = prefix + content.body
        contentHandler(content)
    }
}

@MainActor @Suite("Initialisers, as apps write them") struct InitialiserTests {
    private func run(
        _ main: @escaping @MainActor @Sendable () -> Void, _ body: @MainActor (AppUnderTest) async throws -> Void
    ) async throws {
        let bundle = AppBundle(
            bundleID: "com.example.early", name: "Early", makeServiceExtension: { CountingExtension() }, main: main)
        try await AppUnderTest.run(bundle) { app in
            try await app.open()
            try await body(app)
        }
    }

    @Test("a delegate that overrides init() is made by its main(), and so is a subclass that does not")
    func overridden() async throws {
        try await run({ EarlyDelegate.main() }) { app in
            #expect(app.delegate(as: EarlyDelegate.self)?.steps == ["init", "set up", "launched"])
        }
        try await run({ LaterDelegate.main() }) { app in
            #expect(app.delegate(as: LaterDelegate.self)?.own == "own")
            #expect(app.delegate(as: EarlyDelegate.self)?.steps == ["init", "set up", "launched"])
        }
    }

    @Test("a delegate that is no responder starts by main() and by its class's name, and gets its token")
    func noResponder() async throws {
        try await run({ PlainDelegate.main() }) { app in
            #expect(app.delegate(as: PlainDelegate.self)?.token?.count == 32)
        }
        try await run({ UIApplicationMain(0, nil, nil, NSStringFromClass(PlainDelegate.self)) }) { app in
            #expect(app.delegate(as: PlainDelegate.self)?.token?.count == 32)
        }
    }

    @Test("views and controllers have initialisers of their own, with init(coder:) and nothing else required")
    func views() async throws {
        try await run({ PlainDelegate.main() }) { app in
            #expect(app.texts == ["Hello"])
            #expect(UIView().frame == .zero && UILabel().text == nil && UIViewController().children.isEmpty)
            #expect(UINavigationController().viewControllers.isEmpty)
        }
    }

    @Test("a service extension sets itself up in init()")
    func serviceExtension() async throws {
        try await run({ PlainDelegate.main() }) { app in
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.suspend()
            try await app.push(["aps": ["alert": "Hello", "mutable-content": 1]])
            #expect(app.notifications.map(\.request.content.title) == ["From the extension: Hello"])
        }
    }
}
