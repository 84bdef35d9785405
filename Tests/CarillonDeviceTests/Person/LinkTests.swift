import CarillonCore
import CarillonDevice
import Foundation
import SafariServices
import Testing
import UIKit

/// A link, and what a phone with the apps below does with it.
struct LinkCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// `nil`: Safari.
    let opens: String?

    init(_ url: String, _ opens: String?) {
        testDescription = url
        self.opens = opens
    }

    static let all: [LinkCase] = [
        LinkCase("https://chime.example/story/7", "app.chime"), LinkCase("http://CHIME.example", "app.chime"),
        LinkCase("https://www.chime.example/", "app.chime"), LinkCase("https://dev.chime.example/", nil),
        LinkCase("https://chime.example.evil.example/", nil), LinkCase("https://notchime.example/", nil),
        LinkCase("chime://story/7", "app.chime"), LinkCase("CHIME:story", "app.chime"),
        LinkCase("https://bell.example/", "app.bell"),
    ]
}

@MainActor @Suite("Links and Handoff") struct LinkTests {
    private let chime = TestPhone.bundleID
    private let bell = "app.bell"

    private func run(_ body: @MainActor (TestPhone) async throws -> Void) async throws {
        try await TestPhone.run { test in
            install(test, chime) {
                $0.associatedDomains = [
                    "applinks:chime.example", "applinks:*.WWW.example", "applinks:www.chime.example?mode=developer",
                ]
                $0.urlSchemes = ["chime"]
                $0.userActivityTypes = ["app.chime.story"]
            }
            install(test, bell) {
                $0.associatedDomains = ["webcredentials:chime.example", "applinks:bell.example"]
                $0.queriedSchemes = ["chime"]
            }
            try await body(test)
        }
    }

    private func install(_ test: TestPhone, _ id: String, _ adjust: (inout AppBundle) -> Void) {
        let callLog = test.callLogs[id] ?? CallLog()
        test.callLogs[id] = callLog
        var bundle = AppBundle(bundleID: id, name: id, makeDelegate: { WatchfulApp(callLog) })
        adjust(&bundle)
        test.phone.install(bundle)
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test("a link opens the app that has its domain or scheme, else Safari", arguments: LinkCase.all)
    func follow(_ link: LinkCase) async throws {
        try await run { test in
            try await test.phone.openApp(chime)
            #expect(try await test.phone.followLink(url(link.testDescription)) == link.opens)
            #expect(test.phone.frontApp == link.opens)
            #expect(test.phone.openedURLs.count == (link.opens == nil ? 1 : 0))
        }
    }

    @Test("a link that nothing opens, and a page of a foreign domain, are refused with what to do")
    func refused() async throws {
        try await run { test in
            for text in ["gong://x", "https://other.example/"] {
                do {
                    if text.hasPrefix("gong") {
                        try await test.phone.followLink(url(text))
                    } else {
                        try await test.phone.openURL(url(text), in: chime)
                    }
                    Issue.record("\(text) was opened")
                } catch let error as PhoneError {
                    #expect(error.code == .unknownLink && error.description.contains("AppBundle"))
                }
            }
            await test.phone.lock()
            await #expect(throws: PhoneError.self) { try await test.phone.followLink(url("chime://x")) }
        }
    }

    @Test("a universal link launches an app with the activity's type in its options, and then continues it")
    func universalLink() async throws {
        try await run { test in
            try await test.phone.followLink(url("https://chime.example/7"))
            let web = "NSUserActivityTypeBrowsingWeb"
            let goesOn = ["will go on with \(web)", "goes on at https://chime.example/7"]
            #expect(test.callLog.lines == ["launched for \(web)"] + goesOn + ["active"])
            await test.phone.pressHome()
            try await test.phone.openURL(url("https://chime.example/7"), in: chime)
            #expect(test.callLog.lines.suffix(4) == ["foreground"] + goesOn + ["active"])
        }
    }

    @Test("what an app gives to the restoration handler is asked to restore itself")
    func restoration() async throws {
        try await run { test in
            let screen = RestoringScreen()
            try await test.phone.openApp(chime)
            (test.phone.delegate(of: chime) as? WatchfulApp)?.restored = [screen]
            try await test.phone.followLink(url("https://chime.example/7"))
            try await test.phone.settled()
            #expect(screen.restored?.webpageURL == (try url("https://chime.example/7")))
        }
    }

    @Test(
        "an app's link leads to another app by domain or scheme, its own domain to Safari, and it is told which opens")
    func outOfAnApp() async throws {
        try await run { test in
            let bellCallLog = try #require(test.callLogs[bell])
            try await test.phone.openApp(bell)
            let (scheme, own) = (try url("chime://7"), try url("https://bell.example/1"))
            let (strange, page) = (try url("gong://7"), try url("https://chime.example/7"))
            await test.phone.run(in: bell) {
                let application = UIApplication.shared
                bellCallLog.write("can: \(application.canOpenURL(scheme)) \(application.canOpenURL(strange))")
                application.open(strange) { bellCallLog.write("strange: \($0)") }
                application.open(own) { bellCallLog.write("own: \($0)") }
                application.open(own, options: [.universalLinksOnly: true]) { bellCallLog.write("own app only: \($0)") }
                application.open(scheme) { bellCallLog.write("scheme: \($0)") }
            }
            try await test.phone.settled()
            #expect(test.phone.frontApp == chime && test.phone.runningState(of: bell) == .background)
            #expect(test.callLog.lines == ["launched", "opens chime://7 from app.bell", "active"])
            for line in ["can: true false", "strange: false", "own: true", "own app only: false", "scheme: true"] {
                #expect(bellCallLog.contains(line), "\(line)")
            }
            #expect(test.phone.openedURLs.map(\.url) == [own, scheme])
            try await test.phone.openApp(bell)
            await test.phone.run(in: bell) {
                UIApplication.shared.open(page, options: [.universalLinksOnly: true]) {
                    bellCallLog.write("page: \($0)")
                }
            }
            try await test.phone.settled()
            #expect(bellCallLog.contains("page: true") && test.phone.frontApp == chime)
            #expect(test.callLog.contains("goes on at https://chime.example/7"))
        }
    }

    @Test("a page in the app's own browser stays there, universal link or not")
    func inAppBrowser() async throws {
        try await run { test in
            let page = try url("https://chime.example/7")
            try await test.phone.openApp(bell)
            await test.phone.run(in: bell) {
                let window = UIWindow(frame: UIScreen.main.bounds)
                window.rootViewController = SFSafariViewController(url: page)
                window.makeKeyAndVisible()
            }
            try await test.phone.settled()
            #expect(test.phone.frontApp == bell && test.phone.openedURLs.map(\.isInApp) == [true])
            // A link on that page is the person's to follow.
            #expect(try await test.phone.followLink(page) == chime)
        }
    }

    @Test("the restoration handler as it was before Swift 4.2 is never called, which is said at launch")
    func nearMiss() async throws {
        try await TestPhone.run { test in
            test.mayMistype = true
            test.install { _ in OldRestorationApp() }
            try await test.phone.openApp(chime)
            let near = try #require(test.phone.delegateReport(of: chime).nearMisses.first)
            #expect(near.method == "application(_:continue:restorationHandler:)")
        }
    }

    @Test("without the scheme in its Info.plist an app is told that it cannot be opened, and opens it all the same")
    func queriedSchemes() async throws {
        try await run { test in
            install(test, "app.gong") { _ in }
            let callLog = try #require(test.callLogs["app.gong"])
            let scheme = try url("chime://7")
            try await test.phone.openApp("app.gong")
            await test.phone.run(in: "app.gong") {
                callLog.write("can: \(UIApplication.shared.canOpenURL(scheme))")
                UIApplication.shared.open(scheme) { callLog.write("opened: \($0)") }
            }
            try await test.phone.settled()
            #expect(callLog.contains("can: false") && callLog.contains("opened: true"))
        }
    }

    @Test("what an app offers on one phone goes on on another, or fails, and only types that it lists")
    func handoff() async throws {
        try await run { test in
            try await test.phone.openApp(chime)
            #expect(await test.phone.offeredActivity(of: chime) == nil)
            let writer = Writer()
            await test.phone.run(in: chime) {
                let activity = NSUserActivity(activityType: "app.chime.story")
                activity.delegate = writer
                activity.needsSave = true
                writer.activity = activity
                activity.becomeCurrent()
            }
            try await test.phone.settled()
            let offered = try #require(await test.phone.offeredActivity(of: chime))
            #expect(offered.title == "as of now" && test.callLog.lines.last == "offers as of now")
            try await run { other in
                try await other.phone.handOff(offered, to: chime)
                #expect(
                    other.callLog.lines == [
                        "launched for app.chime.story", "will go on with app.chime.story", "goes on at as of now",
                        "active",
                    ])
                try await other.phone.handOff(offered, to: chime, failure: CocoaError(.fileNoSuchFile))
                #expect(other.callLog.lines.last == "cannot go on with app.chime.story")
                await #expect(throws: PhoneError.self) { try await other.phone.handOff(offered, to: bell) }
            }
            await test.phone.run(in: chime) { writer.activity?.invalidate() }
            try await test.phone.settled()
            #expect(await test.phone.offeredActivity(of: chime) == nil)
        }
    }
}

private final class RestoringScreen: UIViewController {
    private(set) var restored: NSUserActivity?

    override func restoreUserActivityState(_ activity: NSUserActivity) { restored = activity }
}

final class OldRestorationApp: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([Any]?) -> Void
    ) -> Bool { true }
}

private final class Writer: NSObject, NSUserActivityDelegate {
    var activity: NSUserActivity?

    func userActivityWillSave(_ userActivity: NSUserActivity) { userActivity.title = "as of now" }
}
