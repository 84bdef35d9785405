/// The error of a body that did not come in time.
struct BodyTimeout: Error {}
