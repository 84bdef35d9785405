import CarillonCore

/// The explanation of pushes that are neither notifications nor Live Activities.
enum OtherMeaning {
    static func summary(of pushType: PushType, _ members: JSONObject) -> String {
        switch pushType {
        case .voip:
            "Goes to PushKit: the app makes the phone ring by reporting a call, and iOS ends an app that reports none."
        case .accessory:
            "Goes to the app's extension for an accessory, as the accessory's encrypted answer to a notification."
        case .complication: "Goes to PushKit: the watch app updates its complication."
        case .controls: "Reloads one control: the one whose token it is sent to."
        case .widgets: "Reloads all of the app's widgets that have a push handler, within iOS's budget."
        case .fileprovider: "Tells the system that files of the app's file provider have changed."
        case .location: "Runs the app's location push service extension, which asks for the person's location."
        case .mdm:
            members["mdm"] == nil
                ? "Nothing happens: a device ignores a device-management push without mdm."
                : "The device contacts its management server."
        case .pushtotalk: "Tells the app of an event in its push-to-talk channel."
        case .alert, .background, .liveactivity: ""
        }
    }

    /// Returns the meaning of `content-changed` in a push of a type.
    static func reload(by pushType: PushType) -> String {
        pushType == .controls
            ? "Reloads the control; the app fetches the new value."
            : "Reloads the widgets; the app fetches the new content."
    }

    /// Returns the meaning of one of Apple's keys beside `aps`; `nil` for any other key.
    static func key(_ name: String, of pushType: PushType) -> String? {
        switch (pushType, name) {
        case (.mdm, "mdm"): "The device's PushMagic, by which it knows its server."
        case (.fileprovider, "container-identifier"): "The folder that has changed."
        case (.fileprovider, "domain"): "The domain of the file provider."
        default: nil
        }
    }
}

/// The explanation of keys that iOS does not read: keys of other push types or services, outdated keys, and the sender's own
/// keys.
enum UnknownKey {
    static func remark(onAps name: String, _ pushType: PushType) -> String {
        let others = PushType.allCases.filter { other in
            PayloadKey.keys(in: .aps, of: other).contains { $0.name == name }
        }
        if !others.isEmpty {
            let names = others.map(\.rawValue).joined(separator: ", ")
            return "Not read in a push of type \(pushType.rawValue): it is for \(names)."
        }
        if name == "url-args" { return "Used by Safari's website pushes only." }
        if ["alert", "background"].contains(pushType.rawValue),
            PayloadKey.keys(in: .alert, of: .alert).contains(where: { $0.name == name })
        {
            return "Not read here: the phone reads \(name) in aps.alert."
        }
        if let meant = meant(by: name, in: .aps, pushType) {
            return "Not a key of Apple's, so the phone ignores it; did you mean \(meant)?"
        }
        return "Not a key of Apple's. The phone ignores it; the app finds it in userInfo[\"aps\"]. Put your own "
            + "keys beside aps."
    }

    /// Returns the key of Apple's that a name was probably meant to be; `nil` if there is none.
    ///
    /// Some libraries write names with underscores or with capital letters.
    static func meant(by name: String, in place: PayloadKey.Place, _ pushType: PushType) -> String? {
        func letters(_ name: String) -> String { name.lowercased().filter(\.isLetter) }
        let known = PayloadKey.keys(in: place, of: pushType).map(\.name)
        if let same = known.first(where: { letters($0) == letters(name) }) { return same }
        // A short word is near too many others.
        guard name.count >= 5, let nearest = name.nearest(in: known), nearest.count >= 4 else { return nil }
        return nearest
    }

    /// Returns a warning about a key beside `aps` that belongs inside; `nil` for a key of the sender's own.
    static func misplaced(_ name: String, _ pushType: PushType) -> String? {
        let known = PayloadKey.keys(in: .aps, of: pushType).map(\.name)
        guard let key = known.contains(name) ? name : known.first(where: { $0 == name.replacing("_", with: "-") })
        else {
            return nil
        }
        return "The phone does not read it here: \(key) belongs in aps. The app finds it in userInfo."
    }

    static func legacyOfAlert(_ name: String) -> String? {
        switch name {
        case "action": "Used by Safari's website pushes only."
        case "action-loc-key": "Ignored since iOS 10: it named the button of an alert."
        case "show-view": "Ignored since iOS 10: it hid the View button of an alert."
        case "summary-arg", "summary-arg-count":
            "Ignored since iOS 15: notifications are summarised differently."
        default: nil
        }
    }

    static func own(_ name: String) -> String {
        switch name {
        case CarillonKey.payloadKey: "Carillon's own: for its SDK."
        case "crt", "dlt": "Pushwoosh's deletable push: creates or deletes a local notification, if the app does so."
        case "internalData": "Infobip's: silent, validUntil and inAppDetails."
        case "u": "Pushwoosh's custom data, JSON in a string."
        default: "Your own: the app finds it in userInfo."
        }
    }
}
