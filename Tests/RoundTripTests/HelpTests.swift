import ArgumentParser
import Foundation
import Testing

@testable import CarillonPhones
@testable import carillon

/// `help.txt` has each command's help as people read it, so that a change is seen in the commit that makes it.
@Suite("The help of every command") struct HelpTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "help.txt")
    private static let isRecording = ProcessInfo.processInfo.environment["CARILLON_RECORD"] != nil

    private static func help(
        _ command: any ParsableCommand.Type, of program: any ParsableCommand.Type, _ path: [String]
    ) -> [String] {
        let own = "== \(path.joined(separator: " "))\n\n\(program.helpMessage(for: command, columns: 110))\n"
        return [own]
            + command.configuration.subcommands.flatMap { help($0, of: program, path + [$0._commandName]) }
    }

    @Test("is as help.txt has it: CARILLON_RECORD=1 swift test --filter HelpTests writes the file anew")
    func unchanged() throws {
        let now =
            Self.help(CarillonCommand.self, of: CarillonCommand.self, ["carillon"])
            + Self.help(PhonesProgram.self, of: PhonesProgram.self, ["carillon-phones"])
        #expect(now.count > 40, "every command is found")
        let text = now.joined(separator: "\n")
        if Self.isRecording { try text.write(to: Self.file, atomically: true, encoding: .utf8) }
        let known = try String(contentsOf: Self.file, encoding: .utf8)
        let (lines, knownLines) = (text.components(separatedBy: "\n"), known.components(separatedBy: "\n"))
        let difference = zip(lines, knownLines).first { $0 != $1 }
        #expect(lines == knownLines, "the first line that differs: \(String(describing: difference))")
    }
}
