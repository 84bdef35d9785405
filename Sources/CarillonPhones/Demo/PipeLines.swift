import Foundation

extension FileHandle {
    /// Returns the complete lines that arrive at this handle; the stream ends when the other side closes the pipe.
    ///
    /// At most 100 lines wait for the reader. Further lines are dropped, so that the writer never blocks.
    ///
    /// A thread of its own reads. With a `readabilityHandler`, Dispatch sometimes ends the program when a pipe is closed
    /// ([libdispatch 949](https://github.com/swiftlang/swift-corelibs-libdispatch/issues/949)).
    func arrivingLines() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(100))
        Thread.detachNewThread {
            var rest = Data()
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = received(from: self.fileDescriptor, &bytes)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                rest += bytes[..<count]
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                    rest = Data(rest[rest.index(after: end)...])
                }
            }
            continuation.finish()
        }
        return lines
    }
}

// In an extension of `FileHandle`, `read` is its own method.
private func received(from descriptor: Int32, _ bytes: inout [UInt8]) -> Int { read(descriptor, &bytes, bytes.count) }
