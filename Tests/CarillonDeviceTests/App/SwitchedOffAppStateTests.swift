import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@MainActor @Suite("What a phone saves of an app") struct SwitchedOffAppStateTests {
    private let id = TestPhone.bundleID

    /// Returns the saved state of an app on a first phone, encoded and decoded as for a file.
    private func leave(_ prepare: @MainActor (TestPhone) async throws -> Void) async throws -> SwitchedOffAppState {
        try await TestPhone.run { test in
            try await test.suspendedAllowed { AskingApp($0) { $0.categories = [.news] } }
            try await prepare(test)
            let data = try CarillonJSON.encode(test.phone.savedState(of: id))
            return try CarillonJSON.decode(SwitchedOffAppState.self, from: data)
        }
    }

    @Test("another phone goes on with its notifications, badge, categories and permission")
    func whole() async throws {
        let state = try await leave { test in
            try test.phone.settings.change(of: id) { $0.sounds = false }
            try await test.push(
                ["aps": ["alert": "Hello", "badge": 3, "category": "news"], "article": ["id": 7]], collapseID: "m1")
        }
        try await AppUnderTest.run(asking: { AskingApp($0) }) { app, callLog in
            try app.phone.restore(state, of: id)
            await app.phone.boot()
            #expect(app.phone.badge(of: id) == 3)
            #expect(app.phone.authorizationStatus(of: id) == .authorized)
            #expect(app.phone.actions(of: "m1", in: id).map(\.identifier) == ["archive", "reply", "view"])
            let content = try #require(app.shown.first?.content)
            #expect(content.body == "Hello")
            #expect((content.userInfo["article"] as? [String: Any])?["id"] as? Int == 7)
            let quiet = try await app.push(["aps": ["alert": "Hello", "sound": "default"]])
            #expect(quiet.presentation?.banner == true && quiet.presentation?.sound == nil)
            try await app.phone.tap("m1", in: id)
            try await app.phone.settled()
            #expect(callLog.lines.contains { $0.hasSuffix("on m1") })
        }
    }

    @Test("what fell due meanwhile comes at the start, and the rest at its time")
    func pending() async throws {
        let state = try await leave { test in
            try await test.phone.openApp(id)
            try await test.schedule(["soon": 60, "later": 600])
        }
        try await TestPhone.run { test in
            test.clock.advance(by: .seconds(120))
            test.install { AskingApp($0) }
            try test.phone.restore(state, of: id)
            await test.phone.boot()
            try await test.phone.settled()
            #expect(test.shown.map(\.identifier) == ["soon"])
            test.clock.advance(by: .seconds(600))
            try await test.phone.settled()
            #expect(test.shown.map(\.identifier) == ["later", "soon"])
        }
    }

    @Test("a state that cannot be read is an error, and changes nothing")
    func nonsense() async throws {
        let state = try await leave { try await $0.push(["aps": ["alert": "Hello", "badge": 3]], collapseID: "m1") }
        var json = try JSONValue(parsing: CarillonJSON.encode(state))
        var members = try #require(json.objectValue)
        members["delivered"] = [
            [
                "notification": "bm90IGFuIGFyY2hpdmU=", "isRemote": true, "isOnLockScreen": false,
                "waitsForSummary": false,
            ]
        ]
        json = .object(members)
        let broken = try CarillonJSON.decode(SwitchedOffAppState.self, from: json.encoded())
        try await AppUnderTest.run(asking: { AskingApp($0) }) { app, _ in
            #expect(throws: (any Error).self) { try app.phone.restore(broken, of: id) }
            #expect(app.phone.authorizationStatus(of: id) == .notDetermined)
            #expect(app.phone.badge(of: id) == 0)
        }
    }
}
