import CarillonApp
import CarillonBanner
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation
import Testing
@_spi(Simulation) import UIKit
import UserNotifications

@MainActor
@Suite("The in-app banner on the screen")
struct BannerPresenterTests {
    private func open(_ fixture: AppFixture) async throws -> (HostApp, BannerPresenter) {
        var plan = try fixture.plan()
        plan.configuration.presentationOptions = [.list]
        plan.usesBanner = true
        try await fixture.openAllowed(plan)
        let app = try #require(fixture.app)
        return (app, try #require(app.banner))
    }

    private func wait(_ fixture: AppFixture, _ duration: Duration) async throws {
        fixture.clock.advance(by: duration)
        try await fixture.settle()
    }

    @Test("slides in below the notch, in a window of its own that is never key, and is gone six seconds later")
    func wholeLife() async throws {
        try await AppFixture.run { fixture in
            let (app, banner) = try await open(fixture)
            let application = try #require(app.application)
            let key = try #require(application.windows.first { $0.isKeyWindow })
            try await fixture.visible("m1")
            try await fixture.settle()
            #expect(banner.current?.id == "m1" && fixture.phone.banner == nil)
            let window = try #require(application.windows.last)
            #expect(window !== key && window.windowLevel == .alert)
            #expect(key.isKeyWindow && !window.isKeyWindow)
            #expect(banner.frame?.minY == 47 && banner.frame?.width == 374)
            #expect(window.hitTest(CGPoint(x: 195, y: 60), with: nil) != nil)
            #expect(window.hitTest(CGPoint(x: 195, y: 600), with: nil) == nil)
            try await wait(fixture, .milliseconds(300))
            try await wait(fixture, .seconds(6))
            try await wait(fixture, .milliseconds(300))
            #expect(banner.current == nil && application.windows.last { !$0.isHidden } === key)
        }
    }

    @Test("VoiceOver hears it, gets ten seconds, and may use the escape gesture; with less motion it does not slide")
    func accessibility() async throws {
        try await AppFixture.run { fixture in
            let (app, banner) = try await open(fixture)
            fixture.phone.settings.setVoiceOver(true)
            fixture.phone.settings.setReduceMotion(true)
            try await fixture.visible("m1")
            try await fixture.settle()
            #expect(fixture.phone.deviceEvents.last?.kind == .announcement)
            #expect(fixture.phone.deviceEvents.last?.text == "News. text")
            let drawn = fixture.phone.screen.viewTree(of: AppFixture.bundleID)?.first {
                $0.accessibilityIdentifier == "carillon.banner"
            }
            #expect(drawn?.frame.y == 47, "it does not slide")
            try await wait(fixture, .milliseconds(300))
            try await wait(fixture, .seconds(7))
            #expect(banner.current?.id == "m1")
            let window = try #require(app.application?.windows.last)
            let view = try #require(window.hitTest(CGPoint(x: 195, y: 60), with: nil))
            #expect(view.isAccessibilityElement && view.accessibilityLabel == "News. text")
            #expect(view.accessibilityPerformEscape())
        }
    }

    @Test("fonts are as large as the person wants them, and the card is mirrored where people read from right to left")
    func dynamicTypeAndDirection() {
        var surroundings = BannerSurroundings.system
        let plain = BannerCard(surroundings: surroundings)
        surroundings.font = { _ in .systemFont(ofSize: 40) }
        surroundings.isRightToLeft = { true }
        let large = BannerCard(surroundings: surroundings)
        surroundings.font = BannerSurroundings.system.font
        let mirrored = BannerCard(surroundings: surroundings)
        let content = BannerContent(id: "b", title: "Title", body: "Some words that need room")
        for card in [plain, large, mirrored] {
            card.display(content)
            card.frame = CGRect(x: 0, y: 0, width: 374, height: card.height(width: 374, isExpanded: false))
            card.layoutSubviews()
        }
        #expect(large.frame.height > plain.frame.height)
        let symbols = [plain, mirrored].map { $0.subviews.first { $0 is UIImageView }?.frame.minX ?? -1 }
        #expect(symbols == [14, 374 - 14 - 38])
    }

    @Test("a recall takes the banner of its message away")
    func recalled() async throws {
        try await AppFixture.run { fixture in
            let (_, banner) = try await open(fixture)
            try await fixture.visible("m1")
            try await fixture.settle()
            #expect(banner.current?.id == "m1")
            try await fixture.removal("m1")
            try await wait(fixture, .milliseconds(300))
            #expect(banner.current == nil)
        }
    }

    @Test("it goes with its scene, and comes back with it")
    func background() async throws {
        try await AppFixture.run { fixture in
            let (_, banner) = try await open(fixture)
            try await fixture.visible("m1")
            try await fixture.settle()
            try await fixture.goHome()
            #expect(banner.frame == nil)
            try await fixture.open()
            try await fixture.settle()
            #expect(banner.current?.id == "m1" && banner.frame != nil)
        }
    }

    @Test("when the phone is turned it rests anew: clear of the notch beside it, and back below it")
    func rotation() async throws {
        try await AppFixture.run { fixture in
            let (app, banner) = try await open(fixture)
            try await fixture.visible("m1")
            try await fixture.settle()
            try await wait(fixture, .milliseconds(300))
            await fixture.phone.screen.rotate(to: .landscapeLeft)
            let lying = try #require(banner.frame)
            #expect(lying.minY == 8 && lying.minX >= 55 && lying.maxX <= 844 - 55)
            #expect(abs(lying.midX - 422) < 1)
            let window = try #require(app.application?.windows.last)
            #expect(window.hitTest(CGPoint(x: 422, y: 30), with: nil) != nil)
            #expect(window.hitTest(CGPoint(x: 422, y: 300), with: nil) == nil)
            await fixture.phone.screen.rotate(to: .portrait)
            #expect(banner.frame?.minY == 47 && banner.frame?.width == 374)
        }
    }

    @Test("a safe area that changes late, without a change of size, moves it")
    func lateSafeArea() async throws {
        try await AppFixture.run { fixture in
            let (app, banner) = try await open(fixture)
            try await fixture.visible("m1")
            try await fixture.settle()
            try await wait(fixture, .milliseconds(300))
            #expect(banner.frame?.minY == 47)
            let window = try #require(app.application?.windows.last)
            window.screen.safeAreaInsets.top = 67
            window.setNeedsLayout()
            window.layoutIfNeeded()
            #expect(banner.frame?.minY == 67)
        }
    }

    private final class PortraitController: UIViewController {
        /// Made by a test, which is no phone's code and has no screen.
        override func loadView() { view = UIView(frame: .zero) }
        override var supportedInterfaceOrientations: UIInterfaceOrientationMask { .portrait }
        override var prefersStatusBarHidden: Bool { true }
        override var preferredStatusBarStyle: UIStatusBarStyle { .lightContent }
    }

    @Test("its window has no say in how the phone is held, nor in the status bar")
    func orientation() async throws {
        try await AppFixture.run { fixture in
            let (app, banner) = try await open(fixture)
            app.window?.rootViewController = PortraitController()
            try await fixture.visible("m1")
            try await fixture.settle()
            try await wait(fixture, .milliseconds(300))
            await fixture.phone.screen.rotate(to: .landscapeLeft)
            #expect(banner.frame?.minY == 47 && banner.frame?.width == 374)
            let controller = try #require(app.application?.windows.last?.rootViewController)
            #expect(controller.prefersStatusBarHidden && controller.preferredStatusBarStyle == .lightContent)
        }
    }

    @Test("in Dark Mode its texts can be read: their colour and the card's are not alike")
    func darkMode() async throws {
        try await AppFixture.run { fixture in
            let (_, _) = try await open(fixture)
            try await fixture.visible("m1")
            try await fixture.settle()
            for isDark in [false, true] {
                await fixture.phone.settings.setDarkMode(isDark)
                let card = try #require(
                    fixture.phone.screen.viewTree(of: AppFixture.bundleID)?.first {
                        $0.accessibilityIdentifier == "carillon.banner"
                    }?.children.first)
                let title = try #require(card.first { $0.text == "News" })
                let (paper, ink) = (Self.white(card.backgroundColor), Self.white(title.textColor))
                #expect(abs(paper - ink) > 0.6, "paper \(paper), ink \(ink), dark \(isDark)")
                #expect((paper > 0.5) != isDark)
            }
        }
    }

    /// 0 is black, 1 white, of `#rrggbbaa`.
    private static func white(_ colour: String?) -> Double {
        Double(colour.flatMap { UInt8($0.dropFirst().prefix(2), radix: 16) } ?? 128) / 255
    }

    @Test("a clock that is set back does not keep it on the screen")
    func clockSetBack() async throws {
        try await AppFixture.run { fixture in
            let (_, banner) = try await open(fixture)
            try await fixture.visible("m1")
            try await fixture.settle()
            try await wait(fixture, .milliseconds(300))
            fixture.phoneClock.turn(by: .seconds(-3600))
            try await wait(fixture, .seconds(6))
            try await wait(fixture, .milliseconds(300))
            #expect(banner.current == nil)
        }
    }
}
