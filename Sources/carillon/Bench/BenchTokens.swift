import ArgumentParser
import CarillonCore
import Foundation

/// The device tokens of a measurement.
enum BenchTokens {
    /// As many are made up as a measurement has notifications by default.
    private static let madeUpCount = 100_000

    /// - Parameters:
    ///   - path: a file with one token in each line; `nil`: look for the simulator's own list.
    ///   - authority: the path of the simulator's certificate, beside which it writes its simulator.json.
    /// - Returns: the tokens, and whether no device has them.
    static func list(
        at path: String?, besideAuthority authority: String
    ) throws -> (tokens: [DeviceToken], areMadeUp: Bool) {
        if let path { return (try lines(of: path), false) }
        let summary = URL(fileURLWithPath: authority).deletingLastPathComponent().appending(path: "simulator.json")
        if FileManager.default.fileExists(atPath: summary.path) {
            let list = try JSONValue(parsing: try CommandFile.data(at: summary.path, option: "--ca"))["device_tokens"]
            let tokens = (list?.arrayValue ?? []).compactMap { $0.stringValue.flatMap(DeviceToken.init(hex:)) }
            if !tokens.isEmpty { return (tokens, false) }
        }
        var generator = SystemRandomNumberGenerator()
        let tokens = (0..<madeUpCount).compactMap { _ in
            DeviceToken(Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }))
        }
        return (tokens, true)
    }

    /// Read piece by piece: the whole file at once would be in the memory that is measured.
    private static func lines(of path: String) throws -> [DeviceToken] {
        let file = try CommandFile.handle(at: path, option: "--tokens")
        var tokens: [DeviceToken] = []
        var rest = Data()
        while let piece = try file.read(upToCount: pieceByteCount), !piece.isEmpty {
            var lines = (rest + piece).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = lines.popLast().map { Data($0) } ?? Data()
            for line in lines { try append(line, to: &tokens, path) }
        }
        try append(rest, to: &tokens, path)
        guard !tokens.isEmpty else { throw ValidationError("--tokens \(path): there is no token in it") }
        return tokens
    }

    private static func append(_ line: Data, to tokens: inout [DeviceToken], _ path: String) throws {
        guard !line.isEmpty else { return }
        guard let token = DeviceToken(hex: String(decoding: line, as: UTF8.self)) else {
            throw ValidationError("--tokens \(path), line \(tokens.count + 1): this is not a device token")
        }
        tokens.append(token)
    }

    private static let pieceByteCount = 64 << 10
}
