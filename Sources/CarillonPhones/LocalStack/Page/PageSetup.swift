import Articles
import CarillonCore

/// The answer of `GET /phones`: all that the page needs to be drawn, and what it knows of the app.
struct PageSetup: Encodable, Sendable {
    /// Id and name of every phone, also of one that has not started yet.
    var names: [[String]]
    /// The phones that have started.
    var phones: [PhoneState]
    /// The user who is signed in on the phones.
    var user: String
    var topic: String
    /// Id and name of the app's notification categories.
    var categories: [[String]]
    /// Id, name and a description of each app that can be put on a phone.
    var apps: [[String]]
    /// The options with which `carillon push` reaches the simulated APNs.
    var pushOptions: [String]
    /// For the messages that the page sends.
    var apiKey: String

    enum CodingKeys: String, CodingKey {
        case names, phones, user, topic, categories, apps
        case pushOptions = "push_options"
        case apiKey = "api_key"
    }

    static let chimeCategories = [["NEWS_CATEGORY", "News"]]

    static let apps =
        [["chime", "Chime", "the example app, with Carillon"]]
        + ArticleApp.allCases.map { [$0.rawValue, $0.name, $0.about] }
}
