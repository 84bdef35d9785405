/// Numbers.
extension JSONReader {
    mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = index
        let isNegative = take(UInt8(ascii: "-"))
        let digits = index
        if !take(UInt8(ascii: "0")) { try skipDigits("a value") }
        let digitCount = index - digits
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            try skipDigits("a digit")
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try skipDigits("a digit")
        }
        // 18 digits fit into 64 bits.
        if isWhole, digitCount <= 18 {
            let magnitude = bytes(from: digits).reduce(0 as Int64) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
            return .int(isNegative ? -magnitude : magnitude)
        }
        let text = String(decoding: bytes(from: start), as: UTF8.self)
        if isWhole, let value = Int64(text) { return .int(value) }
        guard let value = Double(text), value.isFinite else {
            throw JSONSyntaxError(description: "not accepted: the number at byte \(start) is too large")
        }
        // 1.0 and 1e2 have no fraction; what does not fit into 64 bits is not made to by rounding.
        return isWhole ? .double(value) : Int64(exactly: value).map { .int($0) } ?? .double(value)
    }

    private mutating func skipDigits(_ expected: String) throws(JSONSyntaxError) {
        let start = index
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        guard index > start else { throw unexpected(expected) }
    }
}
