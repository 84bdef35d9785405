import Testing

/// The rules that keep the parts of the simulated phone apart.
@Suite("The parts of the phone") struct PhonePartsTests {
    @Test("a part changes what it keeps of each app itself: others ask it")
    func ownState() throws {
        var uses = 0
        for file in try SourceTree.swiftFiles(under: "Sources/CarillonDevice") {
            for (number, line) in file.codeLines where line.contains("perApp") {
                uses += 1
                let others = line.replacing("self.perApp", with: "perApp").replacing("self?.perApp", with: "perApp")
                #expect(!others.contains(".perApp"), "\(file.path):\(number): ask the part that keeps it")
            }
        }
        #expect(uses > 50)
    }

    @Test("an installed app has constants only")
    func constants() throws {
        let files = try SourceTree.swiftFiles(under: "Sources/CarillonDevice/App")
        let file = try #require(files.first { $0.path.hasSuffix("/InstalledApp.swift") })
        for (number, line) in file.codeLines {
            #expect(
                !line.hasPrefix("    var ") && !line.contains("(set) var "), "\(file.path):\(number): a part keeps it")
        }
    }
}
