import Foundation

/// One of the two programs `carillon` and `carillon-phones`.
///
/// Each program runs the other program for the commands that only the other program has. It looks for the other program
/// beside its own file, and then in the folders of PATH, as git does for its commands.
package struct Companion: Sendable {
    /// The program `carillon`, with the service and most commands.
    package static let service = Companion(name: "carillon", variable: "CARILLON")
    /// The program `carillon-phones`, with the simulated phones.
    package static let phones = Companion(name: "carillon-phones", variable: "CARILLON_PHONES")

    /// The environment variable in which `carillon` passes its version to `carillon-phones`.
    private static let versionVariable = "CARILLON_VERSION"
    /// The exit status if the program is missing: EX_UNAVAILABLE in sysexits.h.
    package static let missingExitStatus: Int32 = 69

    /// The name of the program's file.
    package let name: String
    /// The environment variable with the path of the program's file.
    ///
    /// If this variable is set, no other place is searched.
    let variable: String

    /// Finds the program's file.
    ///
    /// If the program's environment variable is set, only the path in it counts. Otherwise the function looks beside
    /// `executable`, then in the folders of PATH.
    ///
    /// - Parameters:
    ///   - environment: the environment variables of this process.
    ///   - executable: the file of the running program. Symbolic links are followed.
    /// - Returns: the path of the program's file; `nil` if there is no such program.
    package func path(in environment: [String: String], beside executable: URL?) -> String? {
        if let path = environment[variable] { return Self.isProgram(path) ? path : nil }
        let folder = executable?.resolvingSymlinksInPath().deletingLastPathComponent().path
        let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return ((folder.map { [$0] } ?? []) + folders).lazy.map { "\($0)/\(name)" }.first(where: Self.isProgram)
    }

    /// Starts this companion program in the running process, in place of the program that calls the function.
    ///
    /// The companion program keeps the terminal and receives all signals. Its exit status becomes the exit status of
    /// the process.
    ///
    /// - Parameter arguments: the companion program's arguments, without its name.
    /// - Returns: an error message if the companion program is missing or cannot be run. Otherwise the function does
    ///   not return.
    package func run(_ arguments: [String]) -> String {
        let environment = ProcessInfo.processInfo.environment
        guard let path = path(in: environment, beside: Self.executable) else {
            return "\(name) is not installed (it exists on Linux only): swift build --product \(name)"
        }
        setenv(Self.versionVariable, CommandVersion.text, 1)
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        execv(path, words)
        let reason = String(cString: strerror(errno))
        for word in words { free(word) }
        return "\(path) cannot be run: \(reason)"
    }

    /// Returns a warning if `carillon` has started this program and has another version than this program; otherwise
    /// `nil`.
    package static func versionWarning(in environment: [String: String]) -> String? {
        guard let other = environment[versionVariable], other != CommandVersion.text else { return nil }
        return
            "carillon is version \(other), and carillon-phones is version \(CommandVersion.text): install them together"
    }

    /// The file of the running program.
    private static var executable: URL? {
        #if os(Linux)
            // `Bundle` would link all of Foundation, with ICU's tables, into the simulator.
            URL(fileURLWithPath: "/proc/self/exe")
        #else
            Bundle.main.executableURL
        #endif
    }

    private static func isProgram(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
            && FileManager.default.isExecutableFile(atPath: path)
    }
}
