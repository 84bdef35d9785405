import CarillonPage
import CarillonServer
import Foundation
import TestSupport
import Testing

@testable import CarillonPhones

@Suite("The page of carillon up")
struct PhonesPageTests {
    private static let page = PageSource(
        Dictionary(uniqueKeysWithValues: WebPage.phonesFiles.map { ($0.name, Data($0.bytes)) }))

    @Test("it has every file of its folder, byte for byte, and what it shares with the service's page")
    func folderIsServed() throws {
        var expected = try PageSource(folder: "Sources/CarillonPhones/LocalStack/Page/Web").files
        for file in WebPage.sharedFiles + [.cards] {
            #expect(expected.updateValue(Data(file.bytes), forKey: file.name) == nil)
        }
        #expect(Self.page.files == expected)
    }

    @Test("the page loads every file it has, and no other")
    func everyFileIsLoaded() {
        #expect(Self.page.loadedNames == Set(Self.page.files.keys))
    }

    @Test("the app's name and category come from the server, not from the page")
    func noApp() {
        for name in Self.page.files.keys {
            let text = Self.page.text(of: name)
            for word in ["Chime"] + PageSetup.chimeCategories.flatMap(\.self) {
                #expect(!text.contains(word), "\(name) has \(word)")
            }
        }
    }

    @Test("nothing in the page needs a rule that its policy forbids")
    func policyIsStrict() {
        #expect(Self.page.forbiddenSource == [])
    }

    @Test("the typeface is served with its licence where all its files are, and the page is whole without it")
    func typeface() throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        let licence = folder.appendingPathComponent("copyright")
        #expect(PhoneTypeface(in: folder, licence: licence) == nil)
        for name in ["Inter-Regular.otf", "Inter-SemiBold.otf"] {
            try Data(name.utf8).write(to: folder.appendingPathComponent(name))
        }
        #expect(PhoneTypeface(in: folder, licence: licence) == nil, "no font without its licence")
        try Data("SIL Open Font License".utf8).write(to: licence)
        let typeface = try #require(PhoneTypeface(in: folder, licence: licence))
        let (with, without) = (WebPage.phones(typeface: typeface), WebPage.phones(typeface: nil))
        let more = Set(with.files.map(\.name)).subtracting(without.files.map(\.name))
        #expect(more == ["Inter-Regular.otf", "Inter-SemiBold.otf", "Inter-LICENSE.txt"])
        let sheet = try #require(with.files.first { $0.name == "typeface.css" })
        let text = String(decoding: sheet.bytes, as: UTF8.self)
        #expect(text.contains(#"url("Inter-Regular.otf")"#) && text.contains("Inter-LICENSE.txt"))
        #expect(!Self.page.text(of: "typeface.css").contains("url("))
    }
}
