import CarillonPage

extension WebPage {
    /// The service's own page: a form that sends a message with an API key, and the message's timeline.
    ///
    /// The page uses only the service's documented API.
    package static let console = WebPage(
        sharedFiles + [
            PageFile("index.html", PackageResources.index_html),
            PageFile("main.js", PackageResources.main_js),
        ])

    /// The files that all pages share: API calls, form, timeline and style.
    ///
    /// ``console`` adds two files of its own.
    package static let sharedFiles =
        PageFile.shared + [
            PageFile("api.js", PackageResources.api_js),
            PageFile("busy.js", PackageResources.busy_js),
            PageFile("compose.js", PackageResources.compose_js),
            PageFile("connection.js", PackageResources.connection_js),
            PageFile("draft.js", PackageResources.draft_js),
            PageFile("example-chips.js", PackageResources.example_chips_js),
            PageFile("fields.js", PackageResources.fields_js),
            PageFile("icons.js", PackageResources.icons_js),
            PageFile("message-body.js", PackageResources.message_body_js),
            PageFile("message-words.js", PackageResources.message_words_js),
            PageFile("problem-words.js", PackageResources.problem_words_js),
            PageFile("receipt-words.js", PackageResources.receipt_words_js),
            PageFile("redraw.js", PackageResources.redraw_js),
            PageFile("time.js", PackageResources.time_js),
            PageFile("timeline-lane.js", PackageResources.timeline_lane_js),
            PageFile("timeline-message.js", PackageResources.timeline_message_js),
            PageFile("timeline.css", PackageResources.timeline_css),
            PageFile("timeline.js", PackageResources.timeline_js),
        ]
}
