import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@MainActor @Suite("What can be read while previews are hidden") struct PreviewTests {
    private let message: JSONValue = [
        "aps": [
            "alert": ["title": "Ada", "subtitle": "Lunch", "body": "At one?"], "category": "chat", "thread-id": "ada",
        ]
    ]

    /// Returns the visible text of the newer of two messages in one thread.
    private func read(
        _ previews: UNShowPreviewsSetting, locked: Bool = true, category: UNNotificationCategory? = nil
    ) async throws -> VisibleText {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            if let category {
                await app.phone.run(in: app.bundleID) {
                    UNUserNotificationCenter.current().setNotificationCategories([category])
                }
                try await app.phone.settled()
            }
            try app.phone.settings.change(of: app.bundleID) { $0.previews = previews }
            await app.phone.pressHome()
            if locked { await app.phone.lock() }
            for id in ["one", "two"] { try await app.push(message, collapseID: id) }
            let newest = try #require(app.notifications.first)
            return try app.phone.visibleText(of: newest, in: app.bundleID)
        }
    }

    private func category(
        _ placeholder: String, _ options: UNNotificationCategoryOptions = []
    ) -> UNNotificationCategory {
        UNNotificationCategory(
            identifier: "chat", actions: [], intentIdentifiers: [], hiddenPreviewsBodyPlaceholder: placeholder,
            options: options)
    }

    @Test("4: Show Previews says when the text can be read")
    func setting() async throws {
        #expect(try await read(.always).body == "At one?")
        #expect(try await read(.whenAuthenticated, locked: false).body == "At one?")
        let locked = try await read(.whenAuthenticated)
        #expect(locked == VisibleText(title: "Chime", subtitle: "", body: "Notification", isHidden: true))
        #expect(try await read(.never, locked: false).isHidden)
    }

    @Test("the category's placeholder stands for the text, and counts the messages of the thread")
    func placeholder() async throws {
        let text = try await read(.never, category: category("%u messages"))
        #expect(text == VisibleText(title: "Chime", subtitle: "", body: "2 messages", isHidden: true))
    }

    @Test("the category may leave title and subtitle to be read")
    func options() async throws {
        let title = try await read(.never, category: category("Message", .hiddenPreviewsShowTitle))
        #expect(title == VisibleText(title: "Ada", subtitle: "", body: "Message", isHidden: true))
        let both = try await read(
            .never, category: category("Message", [.hiddenPreviewsShowTitle, .hiddenPreviewsShowSubtitle]))
        #expect(both == VisibleText(title: "Ada", subtitle: "Lunch", body: "Message", isHidden: true))
    }
}
