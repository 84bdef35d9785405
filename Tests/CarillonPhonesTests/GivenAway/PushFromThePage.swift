import CarillonDevice
import Foundation
import Testing
import UserNotifications

// Put your app's delegate in the place of AppDelegate.
@MainActor @Test("in the background, a visible push")
func pushFromThePage() async throws {
    let payload = ###"""
        {
          "aps": {
            "alert": {"title": "Say \"hi\"", "body": "##\n\\#(x)"}
          }
        }
        """###
    try await AppUnderTest.run({ AppDelegate() }) { app in
        try await app.openAndAllow()
        try await app.suspend()
        let trace = try await app.push(Data(payload.utf8), type: .alert, collapseID: #"F7"#)
        #expect(trace.isFinished)
        let content = try #require(app.notifications.first?.request.content)
        #expect(content.title == #"Say "hi""#)
        #expect(content.body == ###"##\###u{a}\#(x)"###)
    }
}
