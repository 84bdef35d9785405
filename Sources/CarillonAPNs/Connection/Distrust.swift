/// Why a server that has answered is not believed to be APNs.
enum Distrust: Sendable, Hashable {
    /// No authority that the client trusts has signed its certificate.
    case authority
    /// Its certificate is for another host.
    case hostName

    var sentence: String {
        switch self {
        case .authority: "the server's certificate is not signed by a trusted authority"
        case .hostName: "the server's certificate is for another host name"
        }
    }
}
