/// 64 bits that distinguish texts ([FNV-1a](http://www.isthe.com/chongo/tech/comp/fnv/)); nothing secret depends on them.
enum Digest {
    /// - Parameter bytes: any number of them.
    /// - Returns: up to 16 hexadecimal digits.
    package static func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
        let hash = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
