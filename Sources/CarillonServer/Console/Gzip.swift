import CZlib

/// Compression into the gzip format ([RFC 1952](https://www.rfc-editor.org/info/rfc1952)).
enum Gzip {
    /// The value of zlib's parameter `windowBits`: 15 for the largest window, plus 16 for the gzip format.
    private static let windowBits: Int32 = 15 + 16

    /// Returns the bytes in the gzip format; `nil` if zlib has no memory for its state.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        // zlib's state points back to the stream, so the stream must keep its address.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        let size = Int32(MemoryLayout<z_stream>.size)
        let start = deflateInit2_(
            stream, Z_BEST_COMPRESSION, Z_DEFLATED, windowBits, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        guard start == Z_OK else { return nil }
        defer { deflateEnd(stream) }
        var (input, isWhole) = (bytes, false)
        let output = [UInt8](unsafeUninitializedCapacity: Int(deflateBound(stream, UInt(bytes.count)))) { room, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = room.baseAddress
                stream.pointee.avail_out = UInt32(room.count)
                isWhole = deflate(stream, Z_FINISH) == Z_STREAM_END
                count = Int(stream.pointee.total_out)
            }
        }
        return isWhole ? output : nil
    }
}
