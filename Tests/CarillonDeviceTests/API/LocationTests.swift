import CarillonCore
import CarillonDevice
import CoreLocation
import Foundation
import Testing
import UIKit

@MainActor @Suite("Location triggers") struct LocationTests {
    private let id = TestPhone.bundleID
    private static let home = CLLocationCoordinate2D(latitude: 52.52, longitude: 13.405)
    private static let work = CLLocationCoordinate2D(latitude: 52.50, longitude: 13.45)

    private func region(_ adjust: (CLCircularRegion) -> Void = { _ in }) -> CLCircularRegion {
        let region = CLCircularRegion(center: Self.home, radius: 100, identifier: "home")
        adjust(region)
        return region
    }

    private func add(_ region: CLRegion, repeats: Bool, on test: TestPhone) async throws {
        let content = UNMutableNotificationContent()
        content.body = "Welcome home"
        let trigger = UNLocationNotificationTrigger(region: region, repeats: repeats)
        await test.phone.run(in: id) {
            UNUserNotificationCenter.current().add(
                UNNotificationRequest(identifier: "home", content: content, trigger: trigger)
            ) { error in
                let sentence = error == nil ? "added" : "refused"
                DispatchQueue.main.async { test.callLog.write(sentence) }
            }
        }
        try await test.phone.until("the center has answered") { _ in
            ["added", "refused"].contains(test.callLog.lines.last ?? "")
        }
        #expect(test.callLog.lines.last == "added")
    }

    private func move(_ test: TestPhone, to places: CLLocationCoordinate2D...) async throws {
        for place in places {
            test.phone.move(to: place)
            try await test.phone.settled()
        }
    }

    @Test("entering the region shows the notification once, and it is no longer pending")
    func entersOnce() async throws {
        try await TestPhone.run { test in
            try await test.openAllowed()
            try test.phone.settings.setLocationAllowed(true, for: id)
            try await add(region(), repeats: false, on: test)
            #expect(test.phone.pendingRequests(of: id).map(\.identifier) == ["home"])
            await test.phone.pressHome()
            try await move(test, to: Self.work)
            #expect(test.shown.isEmpty)
            try await move(test, to: Self.home)
            #expect(test.shown.map(\.content.body) == ["Welcome home"] && test.phone.banner != nil)
            #expect(test.shown.first?.trigger is UNLocationNotificationTrigger)
            #expect(test.phone.pendingRequests(of: id).isEmpty)
        }
    }

    @Test("moving about inside the region is no entry; what repeats fires each time, after a force-quit too")
    func repeats() async throws {
        try await TestPhone.run { test in
            try await test.openAllowed()
            try test.phone.settings.setLocationAllowed(true, for: id)
            try await add(region { $0.notifyOnExit = false }, repeats: true, on: test)
            try await test.phone.forceQuit(id)
            try await move(test, to: Self.home)
            test.phone.swipeAwayBanner()
            let near = CLLocationCoordinate2D(latitude: 52.5201, longitude: 13.405)
            let first = test.phone.traces.count
            try await move(test, to: near, Self.work)
            #expect(test.phone.traces.count == first)
            try await move(test, to: near)
            #expect(test.phone.traces.count == first + 1)
            #expect(test.phone.pendingRequests(of: id).count == 1)
        }
    }

    @Test("a region that is to fire on leaving only does so")
    func leaves() async throws {
        try await TestPhone.run { test in
            try await test.openAllowed()
            try test.phone.settings.setLocationAllowed(true, for: id)
            try await move(test, to: Self.home)
            try await add(region { $0.notifyOnEntry = false }, repeats: false, on: test)
            await test.phone.pressHome()
            #expect(test.shown.isEmpty)
            try await move(test, to: Self.work)
            #expect(test.shown.count == 1)
        }
    }

    @Test("a switched-off phone notices nothing; a request that was removed does not fire")
    func off() async throws {
        try await TestPhone.run { test in
            try await test.openAllowed()
            try test.phone.settings.setLocationAllowed(true, for: id)
            try await add(region { $0.notifyOnExit = false }, repeats: true, on: test)
            await test.phone.powerOff()
            test.phone.move(to: Self.home)
            await test.phone.restart()
            try await move(test, to: Self.work)
            #expect(test.shown.isEmpty)
            await test.phone.unlock()
            try await test.phone.openApp(id)
            await test.phone.run(in: id) {
                UNUserNotificationCenter.current().removePendingNotificationRequests(withIdentifiers: ["home"])
            }
            try await test.phone.settled()
            try await move(test, to: Self.home)
            #expect(test.shown.isEmpty)
        }
    }

    @Test("what waits for a place comes after what waits for a time")
    func order() async throws {
        try await TestPhone.run { test in
            try await test.openAllowed()
            try await add(region(), repeats: false, on: test)
            await test.phone.run(in: id) {
                UNUserNotificationCenter.current().add(
                    UNNotificationRequest(
                        identifier: "later", content: UNMutableNotificationContent(),
                        trigger: UNTimeIntervalNotificationTrigger(timeInterval: 3600, repeats: false)))
            }
            try await test.phone.settled()
            #expect(test.phone.pendingRequests(of: id).map(\.identifier) == ["later", "home"])
        }
    }
}
