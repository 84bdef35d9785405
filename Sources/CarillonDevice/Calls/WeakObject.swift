/// An object of the app's, which may go when the app lets it go.
///
/// `@unchecked`: of the app's only for the moment in which it is made; then for the main actor.
struct WeakObject<Object: AnyObject>: @unchecked Sendable {
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}
