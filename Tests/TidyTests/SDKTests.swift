import Foundation
import Testing

/// The rules that keep the SDK fit for Xcode and for Apple's review.
@Suite("The SDK's package") struct SDKTests {
    @Test("every service extension that is shown can be copied into a project whose classes are on the main actor")
    func extensions() throws {
        let texts = try ["Examples", "docs", "Sources/CarillonApp", "Sources/CarillonExtension"].flatMap {
            try SourceTree.texts(under: $0)
        }
        let shown = texts.flatMap { $0.split(separator: "\n") }.filter {
            $0.contains("class ") && $0.contains("ServiceExtension {") && !$0.contains("open class Carillon")
        }
        #expect(shown.count >= 4)
        for line in shown { #expect(line.contains("nonisolated "), "\(line)") }
    }

    @Test("app and extension call only the decisions of a message's policy, not their parts in an order of their own")
    func decisions() throws {
        var names: Set<String> = []
        for file in try SourceTree.swiftFiles(under: "Sources/CarillonMessaging/Messages")
        where file.path.contains("/MessagePolicy") {
            for (number, line) in file.codeLines {
                #expect(!line.contains("default:"), "\(file.path):\(number): name each verdict")
                guard let name = line.firstMatch(of: /package (?:mutating )?func (\w+)/)?.1 else { continue }
                names.insert(String(name))
            }
        }
        #expect(
            names == [
                "pushed", "wouldShow", "alerted", "alertedAgain", "presenting", "notPresented", "presented", "answered",
                "reconciling",
                "listMayBeOld", "responded", "readInApp", "signOut", "signOutConfirmed", "mayReachApp", "waiting",
                "markReachedApp",
                // Asked by the search of all histories, to tell which cases it has reached.
                "verdict",
            ])
    }

    @Test("a question changes nothing: a mutating function has the name of an order or of an event")
    func questions() throws {
        let question =
            /mutating func (is|are|has|may|can|should|must|needs|wants|accepts|belongs|holds|reaches|was|were|does)([A-Z]\w*)?[(<]/
        for file in try SourceTree.swiftFiles(
            under: "Sources/CarillonApp", "Sources/CarillonBanner", "Sources/CarillonDevice",
            "Sources/CarillonExtension", "Sources/CarillonMessaging")
        {
            for (number, line) in file.codeLines where line.contains("mutating func ") && line.contains(question) {
                Issue.record("\(file.path):\(number): split it into a question and an order, or name the order")
            }
        }
    }

    @Test(
        "the order of handlers and start is told in one sentence wherever start is shown, and every sample keeps it",
        arguments: [
            "Sources/CarillonApp/Carillon.swift", "Sources/CarillonApp/CarillonApp.docc/CarillonApp.md",
            "Sources/CarillonApp/CarillonApp.docc/AddCarillonToYourApp.md",
            "Sources/CarillonApp/CarillonApp.docc/ScenesAndSwiftUI.md", "docs/your-app-in-swift-test.md",
        ])
    func order(of page: String) throws {
        let text = try String(contentsOf: SourceTree.root.appending(path: page), encoding: .utf8)
        let words = text.replacing("`", with: "").replacing("Carillon/start", with: "start")
            .replacing(#/\n *(?:/// ?)?/#, with: " ")
        #expect(words.contains("Set all handlers, then call start(launchOptions:)"))
        for sample in text.components(separatedBy: "```").enumerated().filter({ $0.offset % 2 == 1 }).map(\.element) {
            guard let start = sample.range(of: ".start(launchOptions:"),
                let handler = sample.ranges(of: #/\.on[A-Z]\w+ = /#).last
            else { continue }
            #expect(handler.upperBound < start.lowerBound, "a handler is set after start: \(sample)")
        }
    }

    @Test("what starts a task imports UserNotifications or UIKit, so that a simulated phone knows when it is at rest")
    func countedTasks() throws {
        // It only asks for a turn of the main queue.
        let others = ["Sources/CarillonMessaging/Phone/MainThread.swift"]
        var begun = 0
        for file in try SourceTree.swiftFiles(
            under: "Sources/CarillonApp", "Sources/CarillonBanner", "Sources/CarillonExtension",
            "Sources/CarillonMessaging", "Sources/CarillonUserInfo", "Examples")
        where !others.contains(file.path) {
            let isTask = /\bTask(\.detached)?( \{|\()/
            guard file.codeLines.contains(where: { $0.1.contains(isTask) }) else { continue }
            begun += 1
            let text = "\n" + file.text
            let isCounted = ["UserNotifications", "UIKit"].contains { text.contains("\nimport \($0)") }
            #expect(isCounted, "\(file.path): import UserNotifications")
        }
        #expect(begun > 5)
    }

    @Test("no module of the SDK re-exports another: their names are plain, and those of SwiftUI and other SDKs are too")
    func exports() throws {
        for file in try SourceTree.swiftFiles(
            under: "Sources/CarillonApp", "Sources/CarillonBanner", "Sources/CarillonCore", "Sources/CarillonExtension",
            "Sources/CarillonMessaging", "Sources/CarillonUserInfo")
        {
            for (number, line) in file.codeLines {
                #expect(!line.contains("@_exported") && !line.contains("public import"), "\(file.path):\(number)")
            }
        }
    }

    @Test("the property lists that a guide shows are property lists")
    func propertyLists() throws {
        let guides = try SourceTree.texts(under: "Sources/CarillonApp/CarillonApp.docc")
        let lists = guides.flatMap { $0.components(separatedBy: "```xml\n").dropFirst() }
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(lists.count == 4)
        for list in lists {
            let value = try PropertyListSerialization.propertyList(from: Data(list.utf8), format: nil)
            #expect((value as? [String: Any])?.isEmpty == false)
        }
    }

    /// iOS ends an app that is suspended while it holds a lock on a file in its App Group.
    @Test("the SDK takes no lock that another process can hold")
    func locks() throws {
        let words = [
            "FileLock", "HeldFileLock", "flock(", "lockf(", "fcntl(", "NSFileCoordinator", "NSDistributedLock",
        ]
        for file in try SourceTree.swiftFiles(
            under: "Sources/CarillonApp", "Sources/CarillonBanner", "Sources/CarillonExtension",
            "Sources/CarillonMessaging", "Sources/CarillonUserInfo")
        {
            for (number, line) in file.codeLines {
                for word in words where line.contains(word) {
                    Issue.record(
                        "\(file.path):\(number): \(word) may be held by the other process, or while iOS suspends this one"
                    )
                }
            }
        }
    }

    /// [Describing use of required reason API](https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api)
    @Test("the SDK uses no API that needs a reason in PrivacyInfo.xcprivacy, which gives none")
    func privacy() throws {
        let words = [
            "UserDefaults", "systemUptime", "mach_absolute_time", "creationDate", "modificationDate",
            "ModificationDate", "fstat(", "lstat(", "getattrlist", "volumeAvailableCapacity", "systemFreeSize",
            "statfs", "activeInputModes",
        ]
        for file in try SourceTree.swiftFiles(
            under: "Sources/CarillonApp", "Sources/CarillonBanner", "Sources/CarillonCore", "Sources/CarillonExtension",
            "Sources/CarillonMessaging", "Sources/CarillonUserInfo")
        {
            for (number, line) in file.codeLines {
                for word in words where line.contains(word) {
                    Issue.record(
                        "\(file.path):\(number): \(word) needs a reason in Sources/CarillonMessaging/PrivacyInfo.xcprivacy"
                    )
                }
            }
        }
        let text = try String(
            contentsOf: SourceTree.root.appending(path: "Sources/CarillonMessaging/PrivacyInfo.xcprivacy"),
            encoding: .utf8)
        let list = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? [String: Any]
        #expect((list?["NSPrivacyAccessedAPITypes"] as? [Any])?.isEmpty == true)
        #expect(list?["NSPrivacyTracking"] as? Bool == false)
        // The installation's id, the user, what is done with notifications, and what is typed into them.
        let types = list?["NSPrivacyCollectedDataTypes"] as? [[String: Any]]
        #expect(
            types?.compactMap { $0["NSPrivacyCollectedDataType"] as? String }
                == [
                    "DeviceID", "UserID", "ProductInteraction", "OtherUserContent",
                ].map { "NSPrivacyCollectedDataType\($0)" })
    }
}
