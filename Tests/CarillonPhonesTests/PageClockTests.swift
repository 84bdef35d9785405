import CarillonCore
import CarillonDevice
import Foundation
import NIOCore
import TestSupport
import Testing
import UIKit

@testable import CarillonPhones

@MainActor
@Suite("The clocks of the page's phones")
struct PageClockTests {
    private final class IdleApp: UIResponder, UIApplicationDelegate {}

    @Test("a page that opens an hour after the last change is told what the phone's clock says now")
    func clockGoesOn() async throws {
        let clock = ManualClock(start: Timestamp(secondsSince1970: 1_800_000_000))
        let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-page-clock-\(getpid())")
        let phone = Phone(
            configuration: PhoneConfiguration(id: "p", name: "Phone", clock: clock, storage: folder, seed: 1))
        let bundle = AppBundle(
            bundleID: "app", name: "App", environment: .sandbox, makeDelegate: { IdleApp() })
        phone.install(bundle)
        let pageState = PageState(clock: clock)
        var seen = SeenNotifications()
        pageState.show(
            PhoneState(
                phone, app: PageApp(id: "app", bundle: bundle), tokens: PhoneTokens(), installation: nil,
                isCenterOpen: false,
                soundCount: 0,
                seen: &seen))
        clock.advance(by: .seconds(3600))
        #expect(pageState.phones.map(\.now) == [clock.now])

        let events = try #require(pageState.subscribe())
        var told = ""
        for await event in events {
            told = String(decoding: event.bytes.readableBytesView, as: UTF8.self)
            if told.contains("event: phone") { break }
        }
        #expect(told.contains(#""now":"\#(clock.now)""#))
        await phone.shutDown()
        try? FileManager.default.removeItem(at: folder)
    }
}
