import CarillonDevice
import Intents
import Testing
import UIKit
@_spi(Simulation) import UserNotifications

/// Small things that strangers' files use beside their push code.
@MainActor @Suite("Small API") struct SmallAPITests {
    @Test("a picture's size is read from its bytes, and cut or strange bytes have none")
    func pictureSize() {
        let png = Data([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 1, 0, 0, 0, 0, 7])
        #expect(UIImage(data: png)?.size == CGSize(width: 256, height: 7))
        #expect(UIImage(data: png.prefix(20))?.size == .zero && UIImage(data: Data())?.size == .zero)
        let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC0, 0, 11, 8, 0, 9, 0, 16, 1])
        #expect(UIImage(data: jpeg)?.size == CGSize(width: 16, height: 9))
        #expect(UIImage(data: Data("GIF89a".utf8) + [3, 0, 4, 0])?.size == CGSize(width: 3, height: 4))
        #expect(UIImage(data: Data("GIF8".utf8))?.size == .zero)
    }

    @Test("constraints, appearances and orientations are kept and change nothing")
    func kept() {
        let view = UIView(frame: CGRect(x: 1, y: 2, width: 3, height: 4))
        let inner = UIView(frame: .zero)
        view.addSubview(inner)
        let width = inner.widthAnchor.constraint(equalTo: view.widthAnchor, multiplier: 0.5, constant: 2)
        NSLayoutConstraint.activate([
            inner.leadingAnchor.constraint(equalTo: view.safeAreaLayoutGuide.leadingAnchor, constant: 8),
            inner.topAnchor.constraint(greaterThanOrEqualTo: view.topAnchor), width,
            inner.heightAnchor.constraint(equalToConstant: 10),
        ])
        width.priority = .defaultHigh
        #expect(width.isActive && width.multiplier == 0.5 && width.constant == 2 && inner.frame == .zero)
        UINavigationBar.appearance().barTintColor = .red
        #expect(UINavigationBar.appearance().barTintColor == nil)
        UIViewController().setNeedsUpdateOfSupportedInterfaceOrientations()
    }

    @Test("what bars and tabs are to look like is kept, as the many ways to say it are")
    func bars() {
        let look = UINavigationBarAppearance()
        look.configureWithOpaqueBackground()
        look.titleTextAttributes = [.foregroundColor: UIColor.red]
        look.buttonAppearance.normal.titleTextAttributes = [.kern: 1]
        let bar = UINavigationController(rootViewController: UIViewController()).navigationBar
        (bar.standardAppearance, bar.scrollEdgeAppearance) = (look, look)
        bar.setBackgroundImage(UIImage(), for: .default)
        #expect(bar.standardAppearance === look && look.backgroundColor == .systemBackground)
        #expect(bar.backgroundImage(for: .default) != nil && bar.backgroundImage(for: .compact) == nil)
        look.configureWithTransparentBackground()
        #expect(look.backgroundColor == .clear)
        look.configureWithDefaultBackground()
        #expect(look.backgroundColor == nil)
        let tabs = UITabBarController()
        tabs.setViewControllers([UIViewController(), UIViewController()], animated: true)
        let tabLook = UITabBarAppearance()
        tabLook.stackedLayoutAppearance.selected.iconColor = .red
        (tabs.tabBar.standardAppearance, tabs.tabBar.scrollEdgeAppearance) = (tabLook, tabLook)
        #expect(tabs.viewControllers?.count == 2 && tabs.tabBar.scrollEdgeAppearance === tabLook)
    }

    @Test("attributed text shows its text, and a value holds a rectangle")
    func values() {
        let label = UILabel(frame: .zero)
        label.attributedText = NSAttributedString(string: "Zoë")
        label.lineBreakMode = .byWordWrapping
        #expect(label.text == "Zoë" && label.attributedText?.string == "Zoë")
        let frame = CGRect(x: 1, y: 2, width: 3, height: 4)
        #expect(NSValue(cgRect: frame).cgRectValue == frame)
        #expect(NSValue(cgPoint: frame.origin).cgPointValue == frame.origin)
        #expect(NSEC_PER_SEC == 1000 * NSEC_PER_MSEC && NSEC_PER_MSEC == 1000 * NSEC_PER_USEC)
        #expect(USEC_PER_SEC == 1000 * MSEC_PER_SEC)
        #expect(NSValue(cgSize: frame.size).cgSizeValue == frame.size && CACurrentMediaTime() > 0)
        #expect(UIActivityIndicatorView.Style.medium.rawValue == 100 && UIDevice.current.localizedModel == "iPhone")
    }

    @Test("without animations everything in an app is where it goes at once, and its end is told")
    func animations() async throws {
        let log = CallLog()
        let app = AppBundle(bundleID: "app.small", name: "Small", makeDelegate: { WindowDelegate() })
        try await AppUnderTest.run(app) { app in
            try await app.open()
            try await app.phone.value(in: "app.small") {
                UIView.setAnimationsEnabled(false)
                let view = UIView(frame: .zero)
                UIView.animate(
                    withDuration: 100, animations: { view.alpha = 0.5 },
                    completion: { log.write("\($0) \(view.alpha) \(UIView.areAnimationsEnabled)") })
            }
            try await app.phone.settled()
            #expect(log.lines == ["true 0.5 false"])
        }
    }

    @Test("the window of any delegate is an optional of an optional, and editing ends")
    func window() async throws {
        let log = CallLog()
        try await AppUnderTest.run(
            AppBundle(bundleID: "app.small", name: "Small", makeDelegate: { WindowDelegate() })
        ) { app in
            try await app.open()
            try await app.phone.value(in: "app.small") {
                let window = UIApplication.shared.delegate?.window
                if let window, let shown = window { log.write("\(shown.isKeyWindow)") }
                log.write("\(UIApplication.shared.delegate?.window??.rootViewController != nil)")
                let screen = UIApplication.shared.delegate?.window?.screen
                log.write("\(screen?.traitCollection.userInterfaceStyle == .light)")
                let field = UITextField(frame: .zero)
                window??.addSubview(field)
                field.addAction(UIAction { _ in log.write("ended") }, for: .editingDidEnd)
                log.write("\(field.becomeFirstResponder() && window??.endEditing(false) == true)")
            }
            #expect(log.lines == ["true", "true", "true", "ended", "true"])
        }
    }

    @Test("a call out of the list of recent ones comes with its intent")
    func interaction() {
        let person = INPerson(
            personHandle: INPersonHandle(value: "+41", type: .phoneNumber), nameComponents: nil, displayName: "Ann",
            image: nil, contactIdentifier: nil, customIdentifier: nil)
        let audio = INStartAudioCallIntent(destinationType: .normal, contacts: [person])
        #expect(audio.contacts == [person] && audio.destinationType == .normal)
        #expect(INStartVideoCallIntent(contacts: nil).contacts == nil)
        #expect(NSUserActivity(activityType: "x").interaction == nil)
    }

    @Test("anchors of views and guides make constraints of each relation")
    func relations() {
        let view = UIView(frame: .zero)
        let guides = [view.safeAreaLayoutGuide, view.layoutMarginsGuide, view.readableContentGuide]
        let across = [view.leftAnchor, view.rightAnchor, view.leadingAnchor, view.trailingAnchor, view.centerXAnchor]
        let down = [
            view.topAnchor, view.bottomAnchor, view.centerYAnchor, view.firstBaselineAnchor, view.lastBaselineAnchor,
        ]
        let lengths = [view.widthAnchor, view.heightAnchor] + guides.flatMap { [$0.widthAnchor, $0.heightAnchor] }
        let sides = guides.flatMap {
            [$0.leftAnchor, $0.rightAnchor, $0.leadingAnchor, $0.trailingAnchor, $0.centerXAnchor]
        }
        let heights = guides.flatMap { [$0.topAnchor, $0.bottomAnchor, $0.centerYAnchor] }
        var made = zip(across, sides).map { $0.constraint(lessThanOrEqualTo: $1, constant: 3) }
        made += zip(down, heights).map { $0.constraint(lessThanOrEqualTo: $1) }
        made += lengths.map { $0.constraint(lessThanOrEqualTo: view.heightAnchor, multiplier: 2, constant: 3) }
        made += lengths.map { $0.constraint(lessThanOrEqualTo: view.heightAnchor, multiplier: 2) }
        made += lengths.map { $0.constraint(lessThanOrEqualToConstant: 3) }
        #expect(made.count == 34 && made.allSatisfy { $0.relation == .lessThanOrEqual })
        let least = [
            view.leftAnchor.constraint(greaterThanOrEqualTo: view.rightAnchor, constant: 1),
            view.widthAnchor.constraint(greaterThanOrEqualTo: view.heightAnchor, multiplier: 2),
            view.widthAnchor.constraint(greaterThanOrEqualTo: view.heightAnchor, multiplier: 2, constant: 1),
            view.widthAnchor.constraint(greaterThanOrEqualToConstant: 1),
        ]
        #expect(least.allSatisfy { $0.relation == .greaterThanOrEqual } && least.map(\.constant) == [1, 0, 1, 1])
        let same = [
            view.widthAnchor.constraint(equalTo: view.heightAnchor, multiplier: 4),
            view.topAnchor.constraint(equalTo: view.topAnchor),
        ]
        #expect(same.map(\.relation) == [.equal, .equal] && same.map(\.multiplier) == [4, 1])
        NSLayoutConstraint.activate(same)
        NSLayoutConstraint.deactivate(same)
        #expect(!same.contains { $0.isActive })
    }

    @Test("intents of calls come out of an archive as they went in, and records say what they were given")
    func archives() throws {
        let person = INPerson(
            personHandle: INPersonHandle(value: "zoë@example.com", type: .emailAddress), nameComponents: nil,
            displayName: "Zoë", image: nil, contactIdentifier: nil, customIdentifier: nil)
        func archived<Intent: INIntent>(_ intent: Intent) throws -> Intent? {
            let data = try NSKeyedArchiver.archivedData(withRootObject: intent, requiringSecureCoding: true)
            return try NSKeyedUnarchiver.unarchivedObject(ofClass: Intent.self, from: data)
        }
        let audio = try archived(INStartAudioCallIntent(destinationType: .redial, contacts: [person]))
        #expect(audio?.contacts?.map(\.displayName) == ["Zoë"] && audio?.destinationType == .redial)
        let video = try archived(INStartVideoCallIntent(contacts: [person]))
        #expect(video?.contacts?.count == 1)
        let record = INCallRecord(
            identifier: "1", dateCreated: Date(timeIntervalSince1970: 5), caller: person, callRecordType: .missed,
            callCapability: .videoCall, callDuration: 2.5, unseen: true)
        #expect(record.identifier == "1" && record.dateCreated == Date(timeIntervalSince1970: 5))
        #expect(record.caller?.displayName == "Zoë" && record.callRecordType == .missed && record.unseen == true)
        #expect(record.callCapability == .videoCall && record.callDuration == 2.5)
        let filter = INCallRecordFilter(
            participants: [person], callTypes: [.missed, .latest], callCapability: .audioCall)
        #expect(
            filter.participants?.count == 1 && filter.callTypes.contains(.latest) && filter.callCapability == .audioCall
        )
        let file = INFile(data: Data([1, 2]), filename: "a.m4a", typeIdentifier: nil)
        #expect(INSendMessageAttachment(audioMessageFile: file).audioMessageFile?.data == Data([1, 2]))
        let missing = INFile(
            fileURL: URL(fileURLWithPath: "/nowhere/b.m4a"), filename: nil, typeIdentifier: "public.audio")
        #expect(missing.filename == "b.m4a" && missing.data.isEmpty && missing.typeIdentifier == "public.audio")
    }

    @Test("a line of the log takes collections, errors and what is missing")
    func log() {
        let payload: [AnyHashable: Any] = ["aps": ["alert": "100 %"]]
        NSLog("%@ and %@: %d %%", payload, ["a", "b"], 5)
        NSLog("nothing")
        NSLog("%@", UNError(.attachmentCorrupt) as any Error)
        #expect(NSLogText.filled("%@ of %5.2ld: 100 %%%@", [["a"], 5]) == "[\"a\"] of 5: 100 %")
        #expect(NSLogText.filled("cut %", []) == "cut ")
    }
}

final class WindowDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = UIViewController()
        window?.makeKeyAndVisible()
        return true
    }
}
