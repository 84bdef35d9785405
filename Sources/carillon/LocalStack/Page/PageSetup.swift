import CarillonCore

/// The answer of `GET /phones`: all that the page needs to be drawn, and what it knows of the app.
struct PageSetup: Encodable, Sendable {
    /// A message that the page's form can be filled with.
    struct Example: Encodable, Sendable {
        /// What the button says.
        var label: String
        var title: String
        var body: String
        /// Where a tap leads.
        var link: String?
        var mode = DeliveryMode.visible
        /// Seconds after it is sent; `nil`: never.
        var expiresIn: Int?

        enum CodingKeys: String, CodingKey {
            case label, title, body, link, mode
            case expiresIn = "expires_in"
        }
    }

    /// Id and name of every phone, also of one that has not started yet.
    var names: [[String]]
    /// Those that have started.
    var phones: [PhoneState]
    /// Who is signed in on the phones.
    var user: String
    var topic: String
    /// Id and name of the app's notification categories.
    var categories: [[String]]
    /// The form is filled with the first one at the start.
    var examples: [Example]
    /// For the messages that the page sends.
    var apiKey: String

    enum CodingKeys: String, CodingKey {
        case names, phones, user, topic, categories, examples
        case apiKey = "api_key"
    }

    static let chimeCategories = [["NEWS_CATEGORY", "News"]]

    static let chimeExamples = [
        Example(
            label: "Breaking news", title: "Comet seen over the harbour",
            body: "It is bright enough for the naked eye until Sunday.", link: "https://example.org/comet"),
        Example(
            label: "Podcast", title: "The Bell Founders, part 3",
            body: "Forty minutes on how a carillon gets its voice."),
        Example(
            label: "Flash sale", title: "Flash sale", body: "Half price for the next ten seconds.", expiresIn: 10),
        Example(
            label: "Silent", title: "Made on the phone", body: "This one came as a background push.", mode: .silent),
    ]
}
