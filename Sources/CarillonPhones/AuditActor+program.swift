import CarillonServer

extension AuditActor {
    /// The program `carillon-phones`, which creates the app and the key of its own service.
    static let program = AuditActor("carillon-phones")
}
