import CarillonCore

extension String {
    /// The text as a JSON string, with its quotation marks.
    ///
    /// Ids and Apple's reasons, which are most of what a feed has, need no escapes, and are quoted without the writer of JSON.
    var jsonQuoted: String {
        let isPlain = utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        guard !isPlain, let json = try? JSONValue.string(self).encoded() else { return "\"\(self)\"" }
        return String(decoding: json, as: UTF8.self)
    }
}
