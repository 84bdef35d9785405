import Foundation

/// One of the two programs `carillon` and `carillon-phones`, which run each other.
///
/// Like git with its commands, a program looks for the other beside its own file and in the folders of PATH.
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
    /// The path in this variable takes precedence over all other places.
    let variable: String

    /// Finds the program at the path in its variable; without that, beside `executable`, then in the folders of PATH.
    ///
    /// - Parameters:
    ///   - environment: the process's environment.
    ///   - executable: the file of the running program. Symbolic links are followed.
    /// - Returns: the file's path; `nil` if there is no such program.
    package func path(in environment: [String: String], beside executable: URL?) -> String? {
        if let path = environment[variable] { return Self.isProgram(path) ? path : nil }
        let folder = executable?.resolvingSymlinksInPath().deletingLastPathComponent().path
        let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return ((folder.map { [$0] } ?? []) + folders).lazy.map { "\($0)/\(name)" }.first(where: Self.isProgram)
    }

    /// Replaces this process by the program, which then has its signals, exit status and terminal.
    ///
    /// - Parameter arguments: the program's arguments, without its name.
    /// - Returns: a sentence with the remedy, if the program is missing or cannot be run. Otherwise the function does
    ///   not return.
    package func run(_ arguments: [String]) -> String {
        let environment = ProcessInfo.processInfo.environment
        guard let path = path(in: environment, beside: Bundle.main.executableURL) else {
            return "\(name) is not installed (it exists on Linux only): swift build --product \(name)"
        }
        setenv(Self.versionVariable, CommandVersion.text, 1)
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        execv(path, words)
        let reason = String(cString: strerror(errno))
        for word in words { free(word) }
        return "\(path) cannot be run: \(reason)"
    }

    /// Returns a warning if this program was started by a program of another version; otherwise `nil`.
    package static func versionWarning(in environment: [String: String]) -> String? {
        guard let other = environment[versionVariable], other != CommandVersion.text else { return nil }
        return
            "carillon is version \(other), and carillon-phones is version \(CommandVersion.text): install them together"
    }

    private static func isProgram(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
            && FileManager.default.isExecutableFile(atPath: path)
    }
}
