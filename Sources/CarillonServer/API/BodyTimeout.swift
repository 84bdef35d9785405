/// The error of a request whose body did not arrive in time.
struct BodyTimeout: Error {}
