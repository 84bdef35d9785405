import ArgumentParser
import CarillonCore
import CommandSupport
import Foundation

/// The device tokens of a measurement.
enum BenchTokens {
    /// Returns the tokens in a file or in the simulator's list; if there is no list, random tokens.
    ///
    /// - Parameters:
    ///   - path: a file with one token per line; `nil` for the simulator's list.
    ///   - authority: the path of the simulator's CA certificate. The file `simulator.json` in the same folder has the list.
    /// - Returns: the tokens, and whether they are random and so belong to no device.
    /// - Throws: an error whose description names a file that cannot be read or has no valid tokens.
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
        let tokens = (0..<CommandLimits.madeUpTokens).compactMap { _ in
            DeviceToken(Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }))
        }
        return (tokens, true)
    }

    /// Reads tokens from a file, ``CommandLimits/tokenFilePiece`` bytes at a time.
    ///
    /// If the function read the whole file at once, its text would count as memory of the measured process.
    private static func lines(of path: String) throws -> [DeviceToken] {
        let file = try CommandFile.handle(at: path, option: "--tokens")
        var tokens: [DeviceToken] = []
        var rest = Data()
        while let piece = try file.read(upToCount: CommandLimits.tokenFilePiece), !piece.isEmpty {
            var lines = (rest + piece).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = lines.popLast().map { Data($0) } ?? Data()
            for line in lines { try append(line, to: &tokens, path) }
        }
        try append(rest, to: &tokens, path)
        guard !tokens.isEmpty else { throw ValidationError("--tokens \(path): the file contains no token") }
        return tokens
    }

    private static func append(_ line: Data, to tokens: inout [DeviceToken], _ path: String) throws {
        guard !line.isEmpty else { return }
        guard let token = DeviceToken(hex: String(decoding: line, as: UTF8.self)) else {
            throw ValidationError("--tokens \(path), line \(tokens.count + 1): not a device token")
        }
        tokens.append(token)
    }

}
