/// The credentials in a call's header `Authorization`: an API key, or an installation's id and secret.
///
/// Each caller has one spelling of its credentials, because calls are counted by them.
enum Credentials: Sendable, Hashable {
    case key(id: String, secret: String)
    case installation(id: String, secret: String)
}
