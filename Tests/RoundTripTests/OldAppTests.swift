import Articles
import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit
import UserNotifications

/// Apps that have never heard of this project, and that understand another provider's pushes: their tokens are imported, the
/// service speaks their dialect, through APNs, and the phone shows what comes of it.
@MainActor @Suite("Old apps, from the service through APNs to the phone", .serialized) struct OldAppTests {
    /// The article's app on a phone in the background, its token imported, and the service.
    private func run(
        _ article: ArticleApp, _ body: @MainActor (AppUnderTest, ServiceAndPhone) async throws -> Void
    ) async throws {
        try await ServiceAndPhone.run(topic: article.bundleID) { service in
            AppBundle(
                bundleID: article.bundleID, name: article.name, environment: .sandbox,
                makeDelegate: { article.makeDelegate(feed: service.base) })
        } body: { app, backend in
            try await app.openAndAllow()
            try await app.phone.until("it has a device token") { $0.deviceToken(of: app.bundleID) != nil }
            let token = try backend.token(of: app)
            try await backend.call(
                "POST", "/v1/devices/import?environment=sandbox", "token,user\n\(token.hex),ada\n", type: "text/csv")
            try await app.suspend()
            try await body(app, backend)
        }
    }

    /// Sends a silent message in another provider's words.
    private func send(_ id: String, _ members: String, by backend: ServiceAndPhone) async throws {
        let alert = #"{"aps": {"alert": {"title": "hello there", "body": "B"}}}"#
        try await backend.call(
            "POST", "/v1/notifications",
            #"{"id": "\#(id)", "to": {"user": "ada"}, "payload": \#(alert), \#(members)}"#)
    }

    @Test("crt and dlt: the article's own code shows the message, and takes it away when it is recalled")
    func deletable() async throws {
        try await run(.deletable) { app, backend in
            try await send("n1", #""mode": "silent", "dialect": "pushwoosh""#, by: backend)
            try await app.phone.until("it is shown") { _ in !app.notifications.isEmpty }
            let shown = app.notifications.map(\.request)
            #expect(shown.map(\.identifier) == ["com.pushwoosh.notification.n1"])
            #expect(shown.map(\.content.title) == ["hello there"])
            try await backend.call("DELETE", "/v1/notifications/n1")
            try await app.phone.until("it is gone") { _ in app.notifications.isEmpty }
        }
    }

    @Test("internalData: what is valid is shown by the article's guard, and what came too late is not")
    func guarded() async throws {
        try await run(.expiryGuard) { app, backend in
            let end = Int(Date().timeIntervalSince1970) + 3600
            try await send("n1", #""mode": "silent", "dialect": "infobip", "until": \#(end)"#, by: backend)
            try await app.phone.until("it is shown") { _ in !app.notifications.isEmpty }
            #expect(app.notifications.map(\.request.identifier) == ["n1"])
            #expect(app.notifications.map(\.request.content.body) == ["B"])
        }
    }

    @Test("a force-quit app makes nothing of a silent push, and gets the visible one that follows")
    func fallback() async throws {
        try await run(.deletable) { app, backend in
            try await app.forceQuit()
            try await send("n1", #""mode": "assured", "dialect": "pushwoosh""#, by: backend)
            try await app.phone.until("it is shown") { _ in !app.notifications.isEmpty }
            let log = app.phone.pushLog
            #expect(log.first?.pushType == .background && log.first?.presentation?.isShown != true)
            #expect(app.notifications.map(\.request.content.title) == ["hello there"])
        }
    }

    /// Pushes of another provider, in order, and the titles that are on the phone in the end.
    struct Recipe: Sendable, CustomTestStringConvertible {
        let article: ArticleApp
        let pushes: [String]
        var type = PushType.background
        let shown: [String]
        let testDescription: String
    }

    nonisolated static let recipes = [
        Recipe(
            article: .deletable, pushes: [#""crt": 1, "title": "one""#, #""crt": "2", "title": "two""#],
            shown: ["one", "two"],
            testDescription: "ids as numbers and as texts"),
        Recipe(
            article: .deletable, pushes: [#""u": "{\"crt\": 1, \"title\": \"one\"}""#, #""u": "{\"dlt\": 1}""#],
            shown: [],
            testDescription: "inside of u"),
        Recipe(
            article: .deletable, pushes: [#""dlt": 1"#, #""crt": 1, "title": "one""#], shown: ["one"],
            testDescription: "dlt before crt takes nothing away"),
        Recipe(
            article: .deletable, pushes: [#""crt": 1, "title": "one""#, #""dlt": 1"#, #""dlt": 1"#], shown: [],
            testDescription: "dlt twice"),
        Recipe(
            article: .deletable, pushes: [#""crt": 1, "title": "one""#, #""dlt": 1, "crt": 1, "title": "again""#],
            shown: ["again"],
            testDescription: "both together: the article's code removes, and then creates"),
        Recipe(
            article: .listed, pushes: [#""crt": 1, "title": "one""#, #""crt": "2", "title": "two""#], shown: ["two"],
            testDescription: "as listed in Swift, a number for an id does nothing"),
        Recipe(
            article: .listedObjectiveC, pushes: [#""crt": 1, "title": "one""#, #""crt": "2", "title": "two""#],
            shown: ["one", "two"],
            testDescription: "as listed in Objective-C, a number for an id is as good"),
        Recipe(
            article: .expiryGuard,
            pushes: [#""messageId": "m", "internalData": {"silent": {"body": "late"}, "validUntil": "1000"}"#],
            shown: [],
            testDescription: "an end that is a text counts to the article's guard, whose listing is Objective-C"),
        Recipe(
            article: .expiryGuard, pushes: [#""messageId": "m", "internalData": {"validUntil": 1000}"#], type: .alert,
            shown: ["by iOS"], testDescription: "an expired alert is shown by iOS: a guard needs silent pushes"),
    ]

    @Test("another provider's pushes, through APNs, to the article's own code", arguments: recipes)
    func recipe(_ recipe: Recipe) async throws {
        try await run(recipe.article) { app, backend in
            for members in recipe.pushes {
                let count = app.phone.pushLog.count
                let alert = recipe.type == .alert ? #""alert": "by iOS", "# : ""
                let payload = #"{"aps": {\#(alert)"content-available": 1}, \#(members)}"#
                try await backend.push(payload, recipe.type, to: app)
                try await app.phone.until("the push has come") { $0.pushLog.count > count }
                try await app.phone.settled()
            }
            let contents = app.notifications.map(\.request.content)
            #expect(contents.map { $0.title.isEmpty ? $0.body : $0.title }.sorted() == recipe.shown)
        }
    }
}
