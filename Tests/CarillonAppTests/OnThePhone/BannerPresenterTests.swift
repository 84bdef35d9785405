import CarillonApp
import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit
import UserNotifications

@MainActor
@Suite("The in-app banner on the screen")
struct BannerPresenterTests {
    private func banner(_ bench: Bench) throws -> BannerPresenter {
        let application = try #require(bench.app?.application)
        return BannerPresenter(application: application, clock: bench.clock, surroundings: .system)
    }

    @Test("slides in below the notch in a window of its own that is never key, and is gone six seconds later")
    func wholeLife() async throws {
        try await Bench.run { bench in
            try await bench.openAllowed()
            let application = try #require(bench.app?.application)
            let presenter = try banner(bench)
            let key = application.windows.first { $0.isKeyWindow }
            let count = application.windows.count
            presenter.show(BannerContent(id: "a", title: "Hello", body: "World"))
            #expect(presenter.current == nil)
            presenter.didBecomeActive()
            #expect(presenter.current?.id == "a")
            let window = try #require(application.windows.last)
            #expect(window.windowLevel == .alert && !window.isKeyWindow && application.windows.count == count + 1)
            #expect(application.windows.first { $0.isKeyWindow } === key)
            #expect(presenter.frame?.minY == 47)
            #expect(window.hitTest(CGPoint(x: 195, y: 60), with: nil) != nil)
            #expect(window.hitTest(CGPoint(x: 195, y: 600), with: nil) == nil)
            for _ in 0..<3 {
                bench.clock.advance(by: .seconds(7))
                try await bench.phone.settled()
            }
            #expect(presenter.current == nil && application.windows.count == count)
        }
    }

    @Test("a recall takes the banner of its message away")
    func recalled() async throws {
        try await Bench.run { bench in
            try await bench.openAllowed()
            let presenter = try banner(bench)
            bench.app?.carillon?.onRemoval = { presenter.withdraw($0) }
            presenter.didBecomeActive()
            presenter.show(BannerContent(id: "m1", title: "Hello", body: "World"))
            try await bench.removal("m1")
            for _ in 0..<2 {
                bench.clock.advance(by: .seconds(1))
                try await bench.phone.settled()
            }
            #expect(presenter.current == nil)
        }
    }
}
