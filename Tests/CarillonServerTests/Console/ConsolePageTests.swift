import CarillonPage
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
        var expected = try PageSource(folder: "Sources/CarillonServer/Console/Web").files
        for (name, data) in try PageSource(folder: "Sources/CarillonPage/Web").files where name != PageFile.cards.name {
            #expect(expected.updateValue(data, forKey: name) == nil)
        }
        #expect(expected == Self.page.files)
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
        #expect(!PagePolicy.contentSecurityPolicy.contains("unsafe"))
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

    @Test("a browser loads one script, one style sheet and the pictures")
    func fewFiles() throws {
        let served = WebPage.console.served.map(\.file)
        #expect(served.map(\.name) == ["index.html", "page.css", "page.js", "icon.svg"])
        let page = String(decoding: served[0].bytes, as: UTF8.self)
        #expect(page.matches(of: /stylesheet|<script/).count == 2)
        #expect(page.contains(#"href="page.css""#) && page.contains(#"src="page.js""#))
    }

    @Test("a module stands once, after those that it imports, and its exports are variables of those that import it")
    func modules() throws {
        let sources = [
            "index.html": "<script type=\"module\" src=\"main.js\"></script>",
            "main.js": "import { two } from \"./b-c.js\";\nimport { one } from \"./a.js\";\nawait two(one);",
            "b-c.js": "import { one } from \"./a.js\";\nexport async function two() { return one; }",
            "a.js": "const hidden = 1;\nexport const one = hidden;",
        ]
        let bundle = PageBundle(sources.map { PageFile($0, [UInt8]($1.utf8)) })
        let script = try #require(bundle.files.first { $0.name == "page.js" })
        let expected = """
            // a.js
            const $a = (() => {
            const hidden = 1;
            const one = hidden;
            return { one };
            })();
            // b-c.js
            const $b_c = (() => {
            const { one } = $a;
            async function two() { return one; }
            return { two };
            })();
            // main.js
            {
            const { two } = $b_c;
            const { one } = $a;
            await two(one);
            }

            """
        #expect(String(decoding: script.bytes, as: UTF8.self) == expected)
    }

    @Test("a file is compressed for a browser that takes gzip, under a tag of its own")
    func compression() throws {
        let file = ServedFile(PageFile("page.css", [UInt8](String(repeating: "p { margin: 0 }\n", count: 200).utf8)))
        let plain = file.response(to: [:])
        #expect(plain.headers[.contentEncoding] == nil && plain.body.contentLength == file.file.bytes.count)
        for refusal in ["br", "gzip;q=0", "br, gzip; q=0.0"] {
            #expect(file.response(to: [.acceptEncoding: refusal]).headers[.contentEncoding] == nil, "\(refusal)")
        }
        let small = file.response(to: [.acceptEncoding: "br;q=1.0, gzip;q=0.8"])
        #expect(small.headers[.contentEncoding] == "gzip" && small.headers[.vary] == "Accept-Encoding")
        #expect(try #require(small.body.contentLength) * 10 < file.file.bytes.count)
        #expect(file.compressed?.starts(with: [0x1f, 0x8b]) == true)
        let tag = try #require(small.headers[.eTag])
        #expect(tag != plain.headers[.eTag])
        let again = file.response(to: [.acceptEncoding: "gzip", .ifNoneMatch: tag])
        #expect(again.status == .notModified && again.headers[.contentEncoding] == nil)
        #expect(ServedFile(PageFile("icon.svg", [1])).compressed == nil, "it would become larger")
    }

    @Test("a copy that is still good is not sent again")
    func entityTags() throws {
        let served = try #require(WebPage.console.served.first)
        let file = served.file
        let fresh = served.response(to: [:], headers: WebPage.headers)
        #expect(fresh.status == .ok)
        #expect(fresh.headers[.contentSecurityPolicy] == PagePolicy.contentSecurityPolicy)
        let again = served.response(to: [.ifNoneMatch: file.entityTag])
        #expect(again.status == .notModified)
        #expect(again.body.contentLength == 0)
    }
}
