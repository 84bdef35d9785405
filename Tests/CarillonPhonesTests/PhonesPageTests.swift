import CarillonServer
import Foundation
import TestSupport
import Testing

@testable import CarillonPhones

@Suite("The page of carillon up")
struct PhonesPageTests {
    private static let page = PageSource(
        Dictionary(uniqueKeysWithValues: WebPage.phones.files.map { ($0.name, Data($0.bytes)) }))

    @Test("it has every file of its folder, byte for byte, and what it shares with the service's page")
    func folderIsServed() throws {
        var expected = try PageSource(folder: "Sources/CarillonPhones/LocalStack/Page/Web").files
        for file in WebPage.sharedFiles { #expect(expected.updateValue(Data(file.bytes), forKey: file.name) == nil) }
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
}
