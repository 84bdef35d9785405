import Foundation
import Testing

/// Style that the compiler cannot check: what must not be written where, each with what to write instead.
@Suite("Tidy")
struct TidyTests {
    @Test("banned words stay out of the libraries, each has a replacement")
    func bannedWords() throws {
        var findings: [String] = []
        for file in try SourceTree.swiftFiles(under: "Sources", "Examples") where !file.path.contains("/Tests/") {
            for (number, line) in file.codeLines {
                for ban in Ban.all where ban.applies(to: file.path) && ban.matches(line) {
                    findings.append("\(file.path):\(number): \(ban.word): \(ban.instead)")
                }
            }
        }
        #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
    }

    @Test("a target imports only what the design allows it")
    func importTable() throws {
        var findings: [String] = []
        for (folder, allowed) in ImportTable.allowed where SourceTree.exists(folder) {
            for file in try SourceTree.swiftFiles(under: folder) {
                for (number, line) in file.codeLines {
                    guard let module = ImportTable.ownModule(importedBy: line), !allowed.contains(module) else {
                        continue
                    }
                    findings.append("\(file.path):\(number): \(folder) must not import \(module)")
                }
            }
        }
        #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
    }

    @Test("only the client, the simulator, the service and the command line know NIO")
    func nioStaysAway() throws {
        let folders = [
            "Sources/CarillonCore", "Sources/CarillonDevice", "Sources/CarillonApp", "Sources/AppleFrameworks",
        ]
        for folder in folders {
            for file in try SourceTree.swiftFiles(under: folder) {
                for (number, line) in file.codeLines where line.contains("import NIO") {
                    Issue.record("\(file.path):\(number): \(folder) must not import NIO")
                }
            }
        }
    }

    @Test("tests await events and never sleep")
    func testsDoNotSleep() throws {
        for file in try SourceTree.swiftFiles(under: "Tests") where !file.path.hasPrefix("Tests/TidyTests") {
            for (number, line) in file.codeLines where line.contains("Task.sleep") || line.contains("usleep(") {
                Issue.record("\(file.path):\(number): await the event instead of sleeping")
            }
        }
    }

    @Test("no file grows past 450 lines")
    func fileLength() throws {
        for file in try SourceTree.swiftFiles(under: "Sources", "Examples") where file.lineCount > 450 {
            Issue.record("\(file.path) has \(file.lineCount) lines: split it by topic")
        }
    }
}
