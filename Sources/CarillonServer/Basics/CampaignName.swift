/// The rules for the name of a campaign, which the backend chooses.
package enum CampaignName {
    /// The greatest length, in bytes.
    package static let byteLimit = 64
    package static let rule = "must have 1 to \(byteLimit) characters of A-Z, a-z, 0-9, '.', '_' and '-'"

    package static func isValid(_ text: String) -> Bool {
        (1...byteLimit).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
