import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import CarillonServer

@Suite("The page")
struct ConsolePageTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/CarillonServer/Console/Web")

    @Test("every file of the folder is served, byte for byte, and no other")
    func folderIsServed() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let paths = names.map { $0 == "index.html" ? "/" : "/\($0)" }
        #expect(Set(ConsoleFile.all.map(\.path)) == Set(paths))
        for file in ConsoleFile.all {
            let name = file.path == "/" ? "index.html" : String(file.path.dropFirst())
            let onDisk = try Data(contentsOf: Self.folder.appendingPathComponent(name))
            #expect(Data(file.bytes) == onDisk, "\(name)")
        }
    }

    @Test("no file refers to anything that the page does not carry")
    func referencesResolve() throws {
        let reference = /(?:from |import |src="|href=")"?([A-Za-z.\/:-]+\.(?:js|css|svg))"/
        for file in ConsoleFile.all {
            let text = String(decoding: file.bytes, as: UTF8.self)
            for match in text.matches(of: reference) {
                let name = String(match.1).replacing("./", with: "")
                #expect(ConsoleFile.all.contains { $0.path == "/\(name)" }, "\(file.path) refers to \(match.1)")
            }
        }
    }

    @Test("nothing in the page needs a rule that its own policy forbids")
    func policyIsStrict() {
        #expect(!ConsolePage.contentSecurityPolicy.contains("unsafe"))
        let forbidden = ["style=\"", "innerHTML", "<script>", "onclick=", "eval(", "https://cdn", "http://"]
        for file in ConsoleFile.all where file.path != "/icon.svg" {
            let text = String(decoding: file.bytes, as: UTF8.self)
            for word in forbidden where !(file.path == "/dom.js" && word == "http://") {
                #expect(!text.contains(word), "\(file.path) has \(word)")
            }
        }
    }

    @Test("a copy that is still good is not sent again")
    func entityTags() throws {
        let file = try #require(ConsoleFile.all.first)
        let fresh = ConsolePage.response(to: [:], with: file)
        #expect(fresh.status == .ok)
        #expect(fresh.headers[.contentSecurityPolicy] == ConsolePage.contentSecurityPolicy)
        let again = ConsolePage.response(to: [.ifNoneMatch: file.entityTag], with: file)
        #expect(again.status == .notModified)
        #expect(again.body.contentLength == 0)
    }
}
