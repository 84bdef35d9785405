import CarillonPage

/// The files of the inbox's page, as a browser loads them.
enum InboxFiles {
    /// The page's files in their source form.
    static let sources =
        PageFile.shared + [
            .cards,
            PageFile("inbox-api.js", PackageResources.inbox_api_js),
            PageFile("inbox.css", PackageResources.inbox_css),
            PageFile("index.html", PackageResources.index_html),
            PageFile("lock-screen.js", PackageResources.lock_screen_js),
            PageFile("main.js", PackageResources.main_js),
            PageFile("push-detail.js", PackageResources.push_detail_js),
            PageFile("push-list.js", PackageResources.push_list_js),
            PageFile("push-words.js", PackageResources.push_words_js),
            PageFile("snippets.js", PackageResources.snippets_js),
        ]

    /// The joined files by name, made at the first request for one of them.
    private static let served = Dictionary(uniqueKeysWithValues: PageBundle(sources).files.map { ($0.name, $0) })

    /// Returns a file of the page; `nil` if it has none of this name.
    static func file(_ name: String) -> PageFile? { served[name] }
}
