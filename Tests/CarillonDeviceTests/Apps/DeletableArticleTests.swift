import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@testable import Articles

@MainActor @Suite("Deletable pushes, as the article builds them") struct DeletableArticleTests {
    private func run(
        _ article: ArticleApp = .deletable, _ body: @MainActor (AppUnderTest) async throws -> Void
    ) async throws {
        try await AppUnderTest.article(article) { app in
            try await app.suspend()
            try await body(app)
        }
    }

    private func titles(_ app: AppUnderTest) -> [String] { app.notifications.map(\.request.content.title) }

    /// The custom data of the article, as its service sends it: text under `u`.
    private func push(_ data: String, to app: AppUnderTest) async throws -> PushTrace {
        try await app.push(["aps": ["content-available": 1], "u": .string(data)])
    }

    @Test(
        "two pushes make two notifications, and a third takes the first back, with numbers and with texts",
        arguments: [false, true])
    func roundTrip(asTexts: Bool) async throws {
        let (one, two) = asTexts ? (#""1""#, #""2""#) : ("1", "2")
        try await run { app in
            _ = try await push(#"{"crt":\#(one), "title":"hello there"}"#, to: app)
            let second = try await push(#"{"crt":\#(two), "title":"hello there again"}"#, to: app)
            #expect(second.presentation?.isShown != true, "the push itself shows nothing")
            #expect(titles(app) == ["hello there again", "hello there"])
            #expect(app.notifications.map(\.request.identifier).last == "com.pushwoosh.notification.1")
            #expect(try await push(#"{"dlt":\#(one)}"#, to: app).wake?.answer == .newData)
            #expect(titles(app) == ["hello there again"])
            #expect(app.state == .suspended)
            try await app.open()
            let keys = try await app.phone.value(in: app.bundleID) {
                UserDefaults.standard.dictionaryRepresentation().keys.filter { $0.hasPrefix("com.pushwoosh.") }
            }
            #expect(keys == ["com.pushwoosh.notification.2"], "the first one's key is forgotten")
        }
    }

    @Test("custom keys beside aps are as good, and the same id again replaces")
    func besideAPS() async throws {
        try await run { app in
            for title in ["hello there", "hello again"] {
                try await app.push(["aps": ["content-available": 1], "crt": 1, "title": .string(title)])
            }
            #expect(titles(app) == ["hello again"])
        }
    }

    @Test("the listing's cast to a text silently does nothing with the article's own example")
    func numberIsNoText() async throws {
        try await run(.listed) { app in
            let trace = try await push(#"{"crt":1, "title":"hello there"}"#, to: app)
            #expect(trace.wake?.answer == .noData)
            #expect(app.notifications.isEmpty)
            _ = try await push(#"{"crt":"1", "title":"hello there"}"#, to: app)
            #expect(titles(app) == ["hello there"])
        }
    }

    @Test("the listing's removal, answered before it is over, is lost in the background and works in the foreground")
    func removalAnsweredAtOnce() async throws {
        try await run(.listed) { app in
            _ = try await push(#"{"crt":"1", "title":"hello there"}"#, to: app)
            _ = try await push(#"{"dlt":"1"}"#, to: app)
            #expect(app.state == .suspended && titles(app) == ["hello there"])
            try await app.open()
            _ = try await push(#"{"crt":"1", "title":"hello there"}"#, to: app)
            _ = try await push(#"{"dlt":"1"}"#, to: app)
            #expect(titles(app) == [])
        }
    }

    @Test("a tap says which one it was, and the push's own data")
    func tap() async throws {
        try await run { app in
            _ = try await push(#"{"crt":7, "title":"hello there"}"#, to: app)
            let id = "com.pushwoosh.notification.7"
            #expect(app.notifications.first?.request.content.userInfo["u"] as? String != nil)
            try await app.tap(id)
            #expect(app.article(as: DeletableApp.self)?.tapped == [id])
            #expect(app.reads("<UNNotification: ") && app.reads("identifier: \(id), content: <UNNotificationContent: "))
        }
    }

    @Test("it is launched for it when the system had ended it, and lost after a force-quit: the article's drawback")
    func notRunning() async throws {
        try await run { app in
            try app.phone.system.terminate(app.bundleID)
            #expect(try await push(#"{"crt":1, "title":"one"}"#, to: app).wake?.kind == .launched)
            try await app.forceQuit()
            let lost = try await push(#"{"crt":2, "title":"two"}"#, to: app)
            #expect(lost.wake?.kind == .notWoken && lost.wake?.why.contains("force-quit") == true)
            #expect(titles(app) == ["one"])
        }
    }

    @Test("a text in the push is presented by iOS itself, beside the app's own: why it must be silent")
    func textInThePush() async throws {
        try await run { app in
            try await app.push(
                ["aps": ["alert": "hello there", "content-available": 1], "crt": 1, "title": "hello there"])
            #expect(titles(app).count == 2)
        }
    }
}
