import Foundation
import Testing

/// An app's mistake ends that app alone, never the program with all its phones.
@Suite("What ends the program") struct StoppingTests {
    /// The folders whose code runs for an app on a phone.
    private static let folders = [
        "AppleFrameworks", "CarillonApp", "CarillonBanner", "CarillonCore", "CarillonDevice", "CarillonExplain",
        "CarillonExtension", "CarillonMessaging", "CarillonUserInfo",
    ].map { "Sources/\($0)" }

    /// The only file that may stop the program, by `SimulatedDevices.stop(_:)`.
    private static let stopping = "Sources/AppleFrameworks/UserNotifications/Simulation/SimulatedDevices+mistakes.swift"

    /// The files that call `stop` or what calls it, and the reason why no app can be ended there.
    private static let callers = [
        "BackgroundTasks/BGTaskScheduler.swift": "no app runs the code",
        "Intents/INInteraction.swift": "no app runs the code",
        "SwiftUI/App.swift": "no app runs the code",
        "SwiftUI/View.swift": "no value has the type Never, so the getter cannot return",
        "UIKit/Application/UIApplication.swift": "no app runs the code",
        "UIKit/Application/UIApplicationDelegate+main.swift": "no app runs the code",
        "UIKit/Application/UIApplicationMain.swift": "no app runs the code",
        "UIKit/System/UIScreen.swift": "no app runs the code",
        "UserNotifications/Center/UNUserNotificationCenter.swift": "no app runs the code",
        "UserNotifications/Simulation/AppUserDefaults.swift": "Foundation always makes the object",
        "UserNotifications/Simulation/SimulatedDevices+mistakes.swift": "no app runs the code",
    ]

    @Test("nothing that an app or a payload can reach stops the program")
    func words() throws {
        let words = /\b(precondition|preconditionFailure|fatalError|assert|assertionFailure|abort|exit)\(|\bunowned\b/
        // Few lines have one of these, and a regular expression takes long.
        let hints = ["precondition", "fatalError", "assert", "abort", "exit", "unowned", "!"]
        // A type that Apple declares with `!` may be `nil`, and is not unwrapped here.
        let declaration = /: \[?[A-Z][\w.]*\]?!/
        let unwrapping = /[\w)\]]!(?=[.,)\]\s\[(]|$)/
        var fileCount = 0
        for file in try Self.folders.flatMap({ try SourceTree.swiftFiles(under: $0) }) where file.path != Self.stopping
        {
            fileCount += 1
            for (number, line) in file.codeLines where hints.contains(where: line.contains) {
                let code = line.replacing(/"(?:[^"\\]|\\.)*"/, with: "\"\"").replacing(declaration, with: "")
                if code.contains(words) || code.contains(unwrapping) {
                    Issue.record(
                        "\(file.path):\(number): report an AppMistake, or an error; an app's mistake ends that app alone"
                    )
                }
            }
        }
        #expect(fileCount > 350)
    }

    @Test("the program stops only where there is no app to end, each place with its reason")
    func stops() throws {
        var found: Set<String> = []
        for file in try SourceTree.swiftFiles(under: "Sources/AppleFrameworks", "Sources/CarillonDevice") {
            let calls = /SimulatedDevices\.stop\w*\(/
            guard
                file.codeLines.contains(where: { $0.1.contains("SimulatedDevices.stop") && $0.1.contains(calls) })
                    || file.path == Self.stopping
            else {
                continue
            }
            found.insert(String(file.path.dropFirst("Sources/AppleFrameworks/".count)))
        }
        #expect(found == Set(Self.callers.keys))
    }

    @Test("each mistake that a module with an Apple name reports is one that the phone knows")
    func mistakes() throws {
        let known = try SourceTree.swiftFiles(under: "Sources/CarillonDevice/Rules")
            .filter { $0.path.hasSuffix("/AppMistake.swift") }
            .flatMap { $0.codeLines.compactMap { $0.1.wholeMatch(of: #/    case (\w+)/#).map { String($0.1) } } }
        var used = 0
        for file in try SourceTree.swiftFiles(under: "Sources/AppleFrameworks") {
            for match in file.text.matches(of: /mistake: "(\w+)"/) {
                used += 1
                #expect(known.contains(String(match.1)), "\(file.path): there is no mistake \(match.1)")
            }
        }
        #expect(used > 15 && known.count > 20)
    }
}
