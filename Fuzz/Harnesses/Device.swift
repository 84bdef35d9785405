import CarillonCore
import Foundation

@testable import CarillonDevice

extension Harness {
    static let deviceHarnesses = [events]

    /// A stream of server-sent events; the first byte says in what pieces it comes.
    private static let events = Harness(name: "events") { bytes in
        guard let first = bytes.first else { return }
        let content = bytes.dropFirst()
        let inPieces = read(content, piece: Int(first) + 1)
        demand(inPieces == read(content, piece: max(1, content.count)), "events do not depend on how they come")
        let taken = inPieces.events.reduce(0) { $0 + ($1?.count ?? 0) }
        demand(taken <= content.count, "no event is longer than what came")
    }

    private struct Reading: Equatable {
        var events: [Data?] = []
        var failure: EventStreamReader.Failure?
    }

    private static func read(_ bytes: ArraySlice<UInt8>, piece: Int) -> Reading {
        var reader = EventStreamReader()
        var reading = Reading()
        var rest = bytes
        do throws(EventStreamReader.Failure) {
            while !rest.isEmpty {
                try reader.read(rest.prefix(piece)) { reading.events.append($0) }
                rest = rest.dropFirst(piece)
            }
        } catch {
            reading.failure = error
        }
        return reading
    }
}
