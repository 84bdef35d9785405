import Foundation
import Synchronization

extension FileHandle {
    /// Returns the complete lines that arrive at this handle; the stream ends when the other side closes the pipe.
    ///
    /// At most 100 lines wait for the reader. Further lines are dropped, so that the writer never blocks.
    func arrivingLines() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(100))
        let rest = Mutex(Data())
        readabilityHandler = { handle in
            let data = handle.availableData
            guard !data.isEmpty else {
                handle.readabilityHandler = nil
                continuation.finish()
                return
            }
            rest.withLock { rest in
                rest.append(data)
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                    rest = Data(rest[rest.index(after: end)...])
                }
            }
        }
        return lines
    }
}
