import CarillonDevice
import TestSupport
import Testing
import UIKit

/// This file does not import Foundation by name, so its functions are the phone's here too.
@MainActor @Suite("A place per phone and app, where Foundation comes with UIKit") struct ImportedPlaceTests {
    @Test("folders by function, by URL and by domain are the app's; outside of any phone they are the machine's")
    func folders() async throws {
        let bundle = AppBundle(bundleID: "com.example.place", name: "Place", makeDelegate: { QuietApp() })
        try await AppUnderTest.run(bundle) { app in
            try await app.open()
            let home = try #require(app.phone.containerFolder(of: app.bundleID)).path
            let found = try await app.phone.value(in: app.bundleID) { Self.found() }
            #expect(found.count == 14 && found.filter { !$0.hasPrefix(home) } == [])
            #expect(Set(found).count == 11, "three of them have two names")
        }
        let outside = [NSTemporaryDirectory(), NSHomeDirectory()]
        #expect(!outside.contains { $0.isEmpty || $0.contains("com.example.place") })
    }

    private static func found() -> [String] {
        let urls = [
            URL.documentsDirectory, .cachesDirectory, .libraryDirectory, .applicationSupportDirectory,
            .temporaryDirectory,
            .homeDirectory,
        ]
        let further: [FileManager.SearchPathDirectory] = [
            .downloadsDirectory, .moviesDirectory, .musicDirectory, .picturesDirectory, .desktopDirectory,
        ]
        return urls.map(\.path) + [NSHomeDirectory(), String(NSTemporaryDirectory().dropLast())]
            + further.map { FileManager.default.urls(for: $0, in: .userDomainMask)[0].path }
            + NSSearchPathForDirectoriesInDomains(.documentDirectory, .userDomainMask, true)
    }
}
