extension PageFile {
    /// The files that every page has: the frame's style, the building of elements, JSON in colours, copying.
    package static let shared = [
        PageFile("copy-text.js", PackageResources.copy_text_js),
        PageFile("dom.js", PackageResources.dom_js),
        PageFile("icon.svg", PackageResources.icon_svg),
        PageFile("json-text.js", PackageResources.json_text_js),
        PageFile("json-view.js", PackageResources.json_view_js),
        PageFile("style.css", PackageResources.style_css),
    ]

    /// The style of a notification's card, for pages that show one.
    package static let cards = PageFile("cards.css", PackageResources.cards_css)
}
