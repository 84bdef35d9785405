import Foundation
import Testing

/// The samples in the documentation are built and run.
@Suite("Documentation") struct DocumentationTests {
    @Test(
        "what a page shows stands in the example that make test runs",
        arguments: [
            ("docs/test-on-linux.md", "swift", ["Examples/Ferry"]),
            ("Sources/CarillonDevice/CarillonDevice.docc/CarillonDevice.md", "swift", ["Examples/Ferry"]),
            ("Sources/CarillonDevice/CarillonDevice.docc/TestPushHandling.md", "swift", ["Examples/Ferry"]),
            ("docs/test-your-sender-in-ci.md", "bash", ["Examples/SenderInCI"]),
            ("docs/simulator.md", "swift", senders),
            ("Sources/CarillonAPNs/CarillonAPNs.docc/CarillonAPNs.md", "swift", senders),
            ("Sources/CarillonAPNs/CarillonAPNs.docc/SendYourFirstNotification.md", "swift", senders),
            ("Sources/CarillonSimulator/CarillonSimulator.docc/TestASender.md", "swift", senders),
            ("\(guides)/AddCarillonToYourApp.md", "swift", chime),
            ("\(guides)/CarillonApp.md", "swift", chime),
            ("\(guides)/ScenesAndSwiftUI.md", "swift", chime),
            ("\(guides)/BesideOtherSDKs.md", "swift", chime),
            ("\(guides)/RecallANotification.md", "swift", chime),
            ("Sources/CarillonBanner/CarillonBanner.docc/WriteYourOwnBanner.md", "swift", chime),
            ("Sources/CarillonExtension/CarillonExtension.docc/CarillonExtension.md", "swift", chime),
            ("\(guides)/MoveFromPushwooshOrInfobip.md", "swift", chime),
            ("docs/xcode.md", "swift", chime),
            ("docs/your-app-in-swift-test.md", "swift", parcel),
            ("docs/live-activities.md", "swift", ["Tests/CarillonDeviceTests/Activities", "Tests/RoundTripTests"]),
            ("docs/widgets.md", "swift", ["Tests/CarillonDeviceTests/Widgets", "Tests/RoundTripTests"]),
        ])
    func examples(page: String, language: String, folders: [String]) throws {
        let files = try folders.flatMap { try SourceTree.texts(under: $0) }
        let blocks = try Self.blocks(of: page, in: language)
        #expect(!blocks.isEmpty)
        for block in blocks where !files.contains(where: { $0.contains(block) }) {
            Issue.record("\(page) shows what \(folders.joined(separator: ", ")) does not have:\n\(block)")
        }
    }

    @Test("the guide from an empty folder shows each source of its app whole, under its name")
    func wholeApp() throws {
        let page = try String(
            contentsOf: SourceTree.root.appending(path: "docs/your-app-in-swift-test.md"), encoding: .utf8)
        let folder = SourceTree.root.appending(path: "Examples/Parcel")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") && !$0.hasPrefix(".build") }
        #expect(names.count == 9)
        for name in names {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            #expect(page.contains("`\(name)`:\n\n```swift\n\(text)```"), "\(name)")
        }
    }

    @Test(
        "a path that a page names is there",
        arguments: [
            "README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/page-api.md", "docs/performance.md",
            "docs/sign-in.md", "docs/simulator.md", "docs/test-on-linux.md", "docs/test-your-sender-in-ci.md",
            "docs/the-five-articles.md",
            "docs/apple-coverage.md", "docs/host-it.md", "docs/threat-model.md", "docs/xcode.md",
        ])
    func paths(page: String) throws {
        let text = try String(contentsOf: SourceTree.root.appending(path: page), encoding: .utf8)
        let tops = ["Sources/", "Tests/", "Examples/", "docs/", "scripts/", "Benchmarks/", "Fuzz/", "Packaging/"]
        for name in text.components(separatedBy: "`").enumerated().filter({ $0.offset % 2 == 1 }).map(\.element)
        where tops.contains(where: name.hasPrefix) && !name.contains(where: { " *<…{".contains($0) }) {
            #expect(SourceTree.exists(name), "\(page) names \(name), which is not there")
        }
    }

    private static let guides = "Sources/CarillonApp/CarillonApp.docc"
    private static let senders = ["Tests/CarillonAPNsTests/Documentation"]
    private static let parcel = [
        "Examples/Parcel", "Tests/AppleDeclarations/ParcelApp", "Tests/AppleDeclarations/ParcelExtension",
    ]
    private static let chime = [
        "Examples/Chime", "Tests/CarillonAppTests/Documentation", "Tests/AppleDeclarations/Samples",
    ]

    private static func blocks(of page: String, in language: String) throws -> [String] {
        let text = try String(contentsOf: SourceTree.root.appending(path: page), encoding: .utf8)
        return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap { rest in
            rest.range(of: "```").map { String(rest[..<$0.lowerBound]) }
        }
    }
}
