import Articles
import CarillonCore

/// The answer to `GET /phones`, with the data that the page needs at its start.
struct PageSetup: Encodable, Sendable {
    /// The command-line options with which `carillon push` reaches the simulated APNs; the page shows them in a command to copy.
    struct PushOptions: Encodable, Sendable {
        var address: [String]
        /// The command-line options that name the account's signing key.
        var key: [String]
        /// The command-line options that name an app's certificate, by the app's bundle id.
        var certificates: [String: [String]]
    }

    /// The id and name of every phone, including phones that have not started yet.
    var names: [[String]]
    /// The phones that have started.
    var phones: [PhoneState]
    /// The user who is signed in on the phones.
    var user: String
    var topic: String
    /// The id and name of each of the app's notification categories.
    var categories: [[String]]
    /// The id, name and description of each app that can be put on a phone.
    var apps: [[String]]
    var pushOptions: PushOptions
    /// The simulated APNs' treatment of a stored push that has expired: `strict` discards the push, `late` delivers it.
    var expiry: String
    /// The API key for the messages that the page sends.
    var apiKey: String

    enum CodingKeys: String, CodingKey {
        case names, phones, user, topic, categories, apps, expiry
        case pushOptions = "push_options"
        case apiKey = "api_key"
    }

    static let chimeCategories = [["NEWS_CATEGORY", "News"]]

    static let apps =
        [["chime", "Chime", "the example app, with Carillon"]]
        + ArticleApp.allCases.map { [$0.rawValue, $0.name, $0.about] }
}
