import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

private final class ReadingApp: UIResponder, UIApplicationDelegate {
    private(set) var userInfo: [AnyHashable: Any] = [:]

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        self.userInfo = userInfo
        completionHandler(.noData)
    }
}

@MainActor @Suite("Numbers of a payload are NSNumbers") struct UserInfoNumberTests {
    private func userInfo(_ payload: JSONValue) async throws -> [AnyHashable: Any] {
        try await AppUnderTest.run({ ReadingApp() }) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.open()
            try await app.push(payload, type: .background)
            return app.delegate(as: ReadingApp.self)?.userInfo ?? [:]
        }
    }

    @Test("they are what the app asks for where that is exact, as on iOS, and nil where it is not")
    func casts() async throws {
        let info = try await userInfo([
            "aps": ["content-available": 1], "one": 1, "five": 5, "half": 0.5, "yes": true, "big": 300, "list": [1, 2],
            "text": "1",
        ])
        #expect(info["one"] as? Bool == true && info["one"] as? Int == 1 && info["one"] as? Double == 1)
        #expect(info["five"] as? Bool == nil && info["five"] as? Double == 5 && info["five"] as? Int64 == 5)
        #expect(info["five"] as? CGFloat == 5 && info["five"] as? Float == 5 && info["five"] as? UInt8 == 5)
        #expect(info["half"] as? Int == nil && info["half"] as? Double == 0.5 && info["half"] as? CGFloat == 0.5)
        #expect(info["yes"] as? Int == 1 && info["yes"] as? Bool == true && info["yes"] as? NSNumber == 1)
        #expect(info["big"] as? UInt8 == nil && info["big"] as? Int16 == 300)
        #expect(info["list"] as? [Int] == [1, 2] && info["list"] as? [Double] == [1, 2])
        #expect(info["text"] as? Int == nil && info["text"] as? String == "1" && info["text"] as? NSString == "1")
        let aps = try #require(info["aps"] as? [String: AnyObject])
        #expect(aps["content-available"] as? Int == 1 && aps["content-available"] as? Bool == true)
    }
}
