import CarillonApp
import CarillonBanner
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation
import Testing
import UIKit

/// A body as an app would write one: taller when it is pulled open.
private final class PlainBody: UIView, BannerBody {
    private(set) var shown: [String] = []

    func display(_ content: BannerContent) {
        shown.append(content.body)
        accessibilityIdentifier = "own.body"
    }

    func height(width: CGFloat, isExpanded: Bool) -> CGFloat { isExpanded ? 200 : 50 }
}

/// A view that can become first responder, so that the keyboard is up as for a text field.
private final class Field: UIView {
    override var canBecomeFirstResponder: Bool { true }
}

@MainActor
@Suite("The banner with a body of the app's own, and beside the keyboard")
struct BannerBodyTests {
    private func open(_ fixture: AppFixture) async throws -> (UIApplication, BannerPresenter) {
        var plan = try fixture.plan()
        plan.configuration.presentationOptions = [.list]
        plan.usesBanner = true
        try await fixture.openAllowed(plan)
        let app = try #require(fixture.app)
        return (try #require(app.application), try #require(app.banner))
    }

    /// From the app's own code, where `UIScreen.main` and the like mean this phone.
    private func show(_ content: BannerContent, by banner: BannerPresenter, _ fixture: AppFixture) async {
        await fixture.phone.run(in: AppFixture.bundleID) { banner.show(content) }
    }

    private func entered(_ fixture: AppFixture) async throws {
        try await fixture.settle()
        fixture.clock.advance(by: .milliseconds(300))
        try await fixture.settle()
    }

    @Test("the app's view is shown with its own height, keeps gestures and VoiceOver, grows when pulled, and is reused")
    func ownBody() async throws {
        try await AppFixture.run { fixture in
            let (application, banner) = try await open(fixture)
            var bodies: [PlainBody] = []
            banner.makeBody = { _ in
                bodies.append(PlainBody())
                return bodies[bodies.count - 1]
            }
            await show(BannerContent(id: "b", title: "Title", body: "one"), by: banner, fixture)
            try await entered(fixture)
            let drawn = fixture.phone.screen.viewTree(of: AppFixture.bundleID)?.first {
                $0.accessibilityIdentifier == "own.body"
            }
            #expect(drawn != nil && banner.frame?.height == 50 && bodies.first?.bounds.height == 50)
            let window = try #require(application.windows.last)
            let view = try #require(window.hitTest(CGPoint(x: 195, y: 60), with: nil))
            let element = sequence(first: view) { $0.superview }.first { $0.isAccessibilityElement }
            #expect(element?.accessibilityLabel == "Title. one")
            await show(BannerContent(id: "b", title: "Title", body: "two"), by: banner, fixture)
            try await fixture.settle()
            #expect(bodies.count == 1 && bodies.first?.shown == ["one", "two"])
            try await fixture.phone.screen.touch(atX: 195, y: 60, phase: .began)
            fixture.clock.advance(by: .milliseconds(100))
            try await fixture.phone.screen.touch(atX: 195, y: 160, phase: .moved)
            fixture.clock.advance(by: .milliseconds(100))
            try await fixture.phone.screen.touch(atX: 195, y: 160, phase: .ended)
            try await entered(fixture)
            #expect(banner.frame?.height == 200)
            try await fixture.phone.screen.tap(atX: 195, y: 60)
            try await entered(fixture)
            #expect(fixture.callbackLog.lines.last == "banner b followed")
        }
    }

    @Test(
        "whoever is typing keeps the keyboard: the field stays first responder while the banner comes, is dragged and goes"
    )
    func keyboard() async throws {
        try await AppFixture.run { fixture in
            let (application, banner) = try await open(fixture)
            let key = try #require(application.windows.first { $0.isKeyWindow })
            let field = Field(frame: CGRect(x: 0, y: 400, width: 390, height: 40))
            key.rootViewController?.view.addSubview(field)
            #expect(field.becomeFirstResponder())
            await show(BannerContent(id: "b", title: "Title", body: "text"), by: banner, fixture)
            try await entered(fixture)
            #expect(banner.frame != nil && field.isFirstResponder && key.isKeyWindow)
            try await fixture.phone.screen.touch(atX: 195, y: 60, phase: .began)
            fixture.clock.advance(by: .milliseconds(50))
            try await fixture.phone.screen.touch(atX: 195, y: 10, phase: .moved)
            try await fixture.phone.screen.touch(atX: 195, y: 10, phase: .ended)
            #expect(field.isFirstResponder && key.isKeyWindow)
            try await entered(fixture)
            #expect(banner.frame == nil && field.isFirstResponder && key.isKeyWindow)
            // At the top of the screen it covers no keyboard, and touches of the keyboard pass it by.
            await show(BannerContent(id: "c", title: "Title", body: "text"), by: banner, fixture)
            try await entered(fixture)
            let bottom = try #require(banner.frame).maxY
            #expect(Double(bottom) < fixture.phone.screen.shape.height / 2)
            #expect(application.windows.last?.hitTest(CGPoint(x: 195, y: 800), with: nil) == nil)
        }
    }
}
