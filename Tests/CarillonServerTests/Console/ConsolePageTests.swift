import Foundation
import HTTPTypes
import Hummingbird
import TestSupport
import Testing

@testable import CarillonServer

@Suite("The service's own page")
struct ConsolePageTests {
    private static let page = PageSource(
        Dictionary(uniqueKeysWithValues: WebPage.console.files.map { ($0.name, Data($0.bytes)) }))

    @Test("every file of the folder is served, byte for byte, and no other")
    func folderIsServed() throws {
        #expect(try PageSource(folder: "Sources/CarillonServer/Console/Web").files == Self.page.files)
    }

    @Test("the page loads every file it has, and no other")
    func everyFileIsLoaded() {
        #expect(Self.page.loadedNames == Set(Self.page.files.keys))
    }

    @Test("it knows neither a phone nor an app")
    func noPhones() {
        for name in Self.page.files.keys {
            let text = Self.page.text(of: name).lowercased()
            for word in ["phone", "chime"] {
                #expect(!text.contains(word), "\(name) has \(word)")
                #expect(!name.contains(word))
            }
        }
    }

    @Test("nothing in the page needs a rule that its own policy forbids")
    func policyIsStrict() {
        #expect(!WebPage.contentSecurityPolicy.contains("unsafe"))
        #expect(Self.page.forbiddenSource == [])
    }

    @Test("a file's path and type follow from its name")
    func pathAndType() {
        #expect(PageFile("index.html", []).path == "/")
        #expect(PageFile("main.js", []).path == "/main.js")
        let types = ["html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"]
        for (ending, type) in types {
            #expect(PageFile("file.\(ending)", []).mediaType.hasPrefix(type))
        }
    }

    @Test("with the page comes a list of its modules, so that none waits for the one that imports it")
    func modulesComeAtOnce() throws {
        let page = WebPage.console
        let name = try #require(HTTPField.Name("Link"))
        for file in page.files {
            let links = page.response(to: [:], with: file).headers[name] ?? ""
            #expect(links.isEmpty == (file.name != "index.html"))
            for module in page.files where file.name == "index.html" && module.name.hasSuffix(".js") {
                #expect(links.contains("<\(module.name)>; rel=modulepreload"))
            }
        }
    }

    @Test("a copy that is still good is not sent again")
    func entityTags() throws {
        let file = try #require(WebPage.console.files.first)
        let fresh = WebPage.console.response(to: [:], with: file)
        #expect(fresh.status == .ok)
        #expect(fresh.headers[.contentSecurityPolicy] == WebPage.contentSecurityPolicy)
        let again = WebPage.console.response(to: [.ifNoneMatch: file.entityTag], with: file)
        #expect(again.status == .notModified)
        #expect(again.body.contentLength == 0)
    }
}
