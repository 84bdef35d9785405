import ArgumentParser

/// `carillon bench`: groups the commands that measure CPU time, memory and latency.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measures CPU time, memory and latency; see docs/performance.md.",
        discussion: "'carillon bench phone' is a command of carillon-phones.",
        subcommands: [BenchClientCommand.self])
}
