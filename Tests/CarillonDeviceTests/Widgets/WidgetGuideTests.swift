import CarillonDevice
import Testing
import UIKit
import WidgetKit

// The code of docs/widgets.md.

struct TallyPushHandler: WidgetPushHandler {
    func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo]) {}
}

func tallyApp() -> AppBundle {
    var bundle = AppBundle(bundleID: "com.example.tally", name: "Tally", makeDelegate: { TallyDelegate() })
    bundle.widgets = [
        WidgetLayout(kind: "tally", name: "Tally", pushHandler: TallyPushHandler.self) { ["3 : 2"] }
    ]
    return bundle
}

final class TallyDelegate: UIResponder, UIApplicationDelegate {}

@MainActor @Test("a push reloads the widget, and a wrong payload is found")
func tallyByPush() async throws {
    try await AppUnderTest.run(tallyApp()) { app in
        try app.phone.widgets.add("tally", of: app.bundleID)
        try await app.phone.settled()
        let trace = try await app.push(["aps": ["content-changed": true]], type: .widgets)
        #expect(trace.notes == ["reloads the widget tally"])
        #expect(app.widgets.first?.lines == ["3 : 2"])

        let wrong = try await app.push(["aps": ["content-available": 1]], type: .widgets)
        #expect(wrong.notes.last == "ignored: the push lacks aps.content-changed, which must be true")
    }
}
