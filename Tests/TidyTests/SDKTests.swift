import Foundation
import Testing

/// What keeps the SDK fit for Xcode and for Apple's review.
@Suite("The SDK's package") struct SDKTests {
    @Test("SDK/Sources has links to the sources, no copies")
    func links() throws {
        let folder = SourceTree.root.appending(path: "SDK/Sources")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["CarillonApp", "CarillonCore", "Chime"])
        for name in names {
            let target = try FileManager.default.destinationOfSymbolicLink(
                atPath: folder.appending(path: name).path)
            #expect(SourceTree.exists("SDK/Sources/\(target)"), "\(name) leads to \(target), which is not there")
        }
    }

    @Test("every service extension that is shown can be copied into a project whose classes are on the main actor")
    func extensions() throws {
        let texts = try ["Examples", "docs", "Sources/CarillonApp"].flatMap { try SourceTree.texts(under: $0) }
        let shown = texts.flatMap { $0.split(separator: "\n") }.filter {
            $0.contains("class ") && $0.contains("ServiceExtension {") && !$0.contains("open class Carillon")
        }
        #expect(shown.count >= 4)
        for line in shown { #expect(line.contains("nonisolated "), "\(line)") }
    }

    /// [Describing use of required reason API](https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api)
    @Test("the SDK uses no API that needs a reason in PrivacyInfo.xcprivacy, which gives none")
    func privacy() throws {
        let words = [
            "UserDefaults", "systemUptime", "mach_absolute_time", "creationDate", "modificationDate",
            "ModificationDate", "fstat(", "lstat(", "getattrlist", "volumeAvailableCapacity", "systemFreeSize",
            "statfs", "activeInputModes",
        ]
        for file in try SourceTree.swiftFiles(under: "Sources/CarillonApp", "Sources/CarillonCore") {
            for (number, line) in file.codeLines {
                for word in words where line.contains(word) {
                    Issue.record(
                        "\(file.path):\(number): \(word) needs a reason in Sources/CarillonApp/PrivacyInfo.xcprivacy")
                }
            }
        }
        let text = try String(
            contentsOf: SourceTree.root.appending(path: "Sources/CarillonApp/PrivacyInfo.xcprivacy"), encoding: .utf8)
        let list = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? [String: Any]
        #expect((list?["NSPrivacyAccessedAPITypes"] as? [Any])?.isEmpty == true)
        #expect(list?["NSPrivacyTracking"] as? Bool == false)
        #expect((list?["NSPrivacyCollectedDataTypes"] as? [Any])?.count == 3)
    }
}
