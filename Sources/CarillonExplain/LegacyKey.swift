import CarillonCore

/// Keys that were Apple's once, and keys of other services' dialects.
enum LegacyKey {
    static func remark(_ key: String) -> String? {
        switch key {
        case "link_url":
            "Not a key of Apple's: the app finds it in userInfo[\"aps\"]."
        case "url-args": "Used by Safari's website pushes only."
        case "timestamp", "event", "content-state", "stale-date", "dismissal-date", "attributes", "attributes-type":
            "For Live Activities (push type liveactivity); ignored otherwise."
        case "content-changed": "For widgets (push type widgets); ignored otherwise."
        default: nil
        }
    }

    static func dialect(_ key: String) -> String? {
        switch key {
        case CarillonKey.payloadKey: "Carillon's own: for its SDK."
        case "crt", "dlt": "Pushwoosh's deletable push: creates or deletes a local notification, if the app does so."
        case "internalData": "Infobip's: silent, validUntil and inAppDetails."
        case "u": "Pushwoosh's custom data, JSON in a string."
        default: nil
        }
    }
}
