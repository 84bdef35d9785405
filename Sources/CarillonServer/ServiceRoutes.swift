import Hummingbird

/// All routes of the HTTP API, by group.
struct ServiceRoutes {
    let service: ServiceContext

    func add(to router: Router<ServiceRequestContext>) {
        NotificationRoutes(service: service, store: service.store).add(to: router)
        DeviceRoutes(service: service, store: service.store).add(to: router)
        ImportRoutes(service: service, store: service.store).add(to: router)
        InboxRoutes(service: service, store: service.store).add(to: router)
        ReceiptRoutes(service: service, store: service.store).add(to: router)
        UserRoutes(service: service, store: service.store).add(to: router)
        AudienceRoutes(service: service, store: service.store).add(to: router)
        AppRoutes(service: service, store: service.store).add(to: router)
        StatusRoutes(service: service).add(to: router)
    }
}
