import CarillonCore
import CarillonServer
import Foundation
import TestSupport
import Testing

@testable import CommandSupport
@testable import ServiceSupport
@testable import carillon

@Suite("How far an import has come")
struct ImportPositionTests {
    private let rules = ImportRules(apps: [], app: nil, environment: .production)

    private func report(line: Int) -> ImportReport {
        var report = ImportReport()
        report.line = line
        return report
    }

    @Test("is known of the very same file only, for the same app and environment")
    func known() throws {
        let folder = try TemporaryFolder()
        let directory = try ServiceDirectory(path: folder.url.path)
        let file = folder.url.appending(path: "a.csv").path
        try "token\naa\n".write(toFile: file, atomically: true, encoding: .utf8)
        let position = try #require(ImportPosition(of: file, rules, in: directory))
        #expect(position.bytes == 9 && position.load() == nil)
        position.save(report(line: 2))
        #expect(ImportPosition(of: file, rules, in: directory)?.load()?.line == 2)
        var others = rules
        others.environment = .sandbox
        #expect(ImportPosition(of: file, others, in: directory)?.load() == nil)
        try "token\naa\nbb\n".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(ImportPosition(of: file, rules, in: directory)?.load() == nil, "it has changed")
        position.remove()
        #expect(ImportPosition(of: "/dev/null", rules, in: directory) == nil)
    }

    @Test("is shown as a bar where the size is known, and as a count where not")
    func bar() {
        #expect(
            ImportProgress.line(50, of: 100, 20, in: .seconds(2))
                == "[##########          ] 50 %  20 records, 10 a second")
        #expect(ImportProgress.line(50, of: nil, 0, in: .zero) == "0 records, 0 a second")
        #expect(ImportProgress.line(300, of: 100, 7, in: .seconds(1)).contains("[####################] 100 %"))
    }
}
