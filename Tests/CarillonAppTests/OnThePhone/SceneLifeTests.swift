import CarillonApp
import CarillonBanner
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Testing
import UIKit

/// An app with scenes forwards nothing of its life: the SDK listens.
@MainActor @Suite("The life of an app with scenes") struct SceneLifeTests {
    @Test("on entering the foreground the phone is reconciled, and the banner that waits is shown")
    func foreground() async throws {
        try await AppFixture.run { fixture in
            var plan = try fixture.plan()
            plan.configuration.presentationOptions = [.list]
            plan.usesBanner = true
            fixture.install(plan, makeSceneDelegate: { PlainScene() })
            try await fixture.open()
            try await fixture.phone.until("the permission sheet is up") { $0.permissionSheet != nil }
            try await fixture.phone.answerPermission(allow: true)
            try await fixture.settle()
            let banner = try #require(fixture.app?.banner)
            try await fixture.visible("m1")
            try await fixture.settle()
            #expect(banner.frame != nil && banner.current?.id == "m1")
            try await fixture.goHome()
            #expect(banner.frame == nil, "its scene has gone")
            try await fixture.open()
            try await fixture.settle()
            #expect(banner.frame != nil && banner.current?.id == "m1")
            try await fixture.goHome()
            fixture.service[\.removals] = ["m1"]
            let calls = fixture.service.calls.filter { $0.hasSuffix("sync") }.count
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.onScreen.isEmpty)
            #expect(
                fixture.service.calls.filter { $0.hasSuffix("sync") }.count == calls + 1, "once, though two were told")
        }
    }
}

private final class PlainScene: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
}
