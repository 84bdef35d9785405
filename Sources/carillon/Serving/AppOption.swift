import ArgumentParser
import CarillonServer

/// The option that selects an app.
///
/// If the service has only one app, the option may be left out.
struct AppOption: ParsableArguments {
    @Option(help: ArgumentHelp("The app's bundle id. (default: the only app)", valueName: "bundle id"))
    var topic: String?

    /// Finds the app that the option selects, or without the option the service's only app.
    ///
    /// - Throws: an error whose description names the service's apps or the command that adds an app.
    func find(in store: Store) async throws -> AppReference {
        let apps = try await store.apps.all()
        if topic == nil, let app = apps.first, apps.count == 1 { return app.reference }
        guard let topic else {
            throw ValidationError(
                apps.isEmpty
                    ? "this service has no app yet; 'carillon apps add' adds one"
                    : "--topic is missing; the apps are \(apps.map(\.topic).joined(separator: ", "))")
        }
        return try AppOption.app(topic, among: apps)
    }

    /// Checks that a text can be a bundle id.
    ///
    /// - Throws: an error whose description names the text and the expected form.
    static func check(_ topic: String) throws {
        guard !topic.isEmpty, topic.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw ValidationError("--topic \"\(topic)\": expected a bundle id, such as com.example.chime")
        }
    }

    /// Returns the app with a topic.
    ///
    /// - Throws: an error whose description names the topic and the service's apps, if no app has this topic.
    static func app(_ topic: String, among apps: [AppRecord]) throws -> AppReference {
        guard let app = apps.first(where: { $0.topic == topic }) else {
            let known = apps.map(\.topic).joined(separator: ", ")
            throw ValidationError(
                "--topic \(topic): there is no such app; "
                    + (apps.isEmpty ? "'carillon apps add' adds one" : "the apps are \(known)"))
        }
        return app.reference
    }
}
