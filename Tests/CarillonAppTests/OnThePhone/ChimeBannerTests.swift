import CarillonBanner
import CarillonCore
import CarillonDevice
import Chime
import Foundation
import Testing
import UIKit

/// Tests in Chime of the promises that the article about an app's own banner makes.
@MainActor @Suite("Chime's own banner on the screen") struct ChimeBannerTests {
    /// The upper edge of the banner where it is drawn now; `nil` when there is none.
    private func y(_ fixture: AppFixture) -> Double? {
        fixture.phone.screen.viewTree(of: AppFixture.bundleID)?.first {
            $0.accessibilityIdentifier == "carillon.banner"
        }?
        .frame.y
    }

    private func wait(_ fixture: AppFixture, milliseconds: Int) async throws {
        fixture.clock.advance(by: .milliseconds(milliseconds))
        try await fixture.settle()
    }

    /// Opens Chime without permission; a push for it comes, and its banner begins to slide.
    private func run(
        _ screen: ScreenShape = .withNotch, allow: Bool = false,
        _ body: @MainActor (AppFixture) async throws -> Void
    ) async throws {
        try await AppFixture.run(screen: screen) { fixture in
            try await fixture.openChime(allow: allow)
            if !allow {
                try await fixture.push(AppFixture.news("n1"), type: .alert, collapseID: "n1")
                try await fixture.settle()
            }
            try await body(fixture)
        }
    }

    @Test(
        "it slides from above the screen to below the notch, or to 8 points from the top, and half-way after half the time",
        arguments: [(ScreenShape.withNotch, 47.0), (.withHomeButton, 8)])
    func slide(screen: ScreenShape, end: Double) async throws {
        try await run(screen) { fixture in
            let height = try #require(fixture.chime.banner?.frame?.height)
            #expect(y(fixture) == -Double(height))
            try await wait(fixture, milliseconds: 150)
            let halfway = try #require(y(fixture))
            #expect(halfway > -Double(height) / 2 && halfway < end)
            try await wait(fixture, milliseconds: 150)
            #expect(y(fixture) == end)
        }
    }

    @Test("let go half-way it leaves, let go after a few points it comes back")
    func release() async throws {
        try await run { fixture in
            try await wait(fixture, milliseconds: 300)
            try await drag(fixture, from: 80, by: -10)
            try await wait(fixture, milliseconds: 100)
            #expect(y(fixture) == 47)
            let height = try #require(fixture.chime.banner?.frame?.height)
            try await drag(fixture, from: 80, by: -Double(height) / 2)
            try await wait(fixture, milliseconds: 300)
            #expect(y(fixture) == nil)
        }
    }

    /// Slowly, so that letting go is no flick.
    private func drag(_ fixture: AppFixture, from start: Double, by way: Double) async throws {
        try await fixture.phone.screen.touch(atX: 190, y: start, phase: .began)
        for step in 1...4 {
            try await fixture.phone.screen.touch(atX: 190, y: start + way * Double(step) / 4, phase: .moved)
            try await wait(fixture, milliseconds: 100)
        }
        try await fixture.phone.screen.touch(atX: 190, y: start + way, phase: .ended)
    }

    @Test("a real push covers it, and it has all of its six seconds when that one is gone")
    func covered() async throws {
        try await run(allow: true) { fixture in
            let chime = try fixture.chime
            await fixture.phone.run(in: AppFixture.bundleID) {
                chime.banner?.show(BannerContent(id: "own", title: "Now playing", body: "Bells"))
            }
            try await wait(fixture, milliseconds: 300)
            #expect(y(fixture) == 47)
            try await fixture.push(AppFixture.news("n1"), type: .alert, collapseID: "n1")
            try await fixture.settle()
            #expect(fixture.phone.banner?.notification.request.identifier == "n1")
            #expect(chime.banner?.current?.id == "own", "it waits below")
            try await wait(fixture, milliseconds: 6500)
            #expect(fixture.phone.banner == nil && y(fixture) == 47)
            try await wait(fixture, milliseconds: 5000)
            #expect(y(fixture) == 47)
            try await wait(fixture, milliseconds: 1000)
            try await wait(fixture, milliseconds: 300)
            #expect(y(fixture) == nil)
        }
    }
}
