import ArgumentParser

/// `carillon bench`: what things cost, measured.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measures what things cost; docs/performance.md explains the figures.",
        subcommands: [ClientBench.self, PhoneBench.self])
}
