import Hummingbird

/// All routes of the HTTP API, group by group.
struct ServiceRoutes {
    let service: ServiceContext

    func add(to router: Router<ServiceRequestContext>) {
        NotificationRoutes(service: service).add(to: router)
        DeviceRoutes(service: service).add(to: router)
        ImportRoutes(service: service).add(to: router)
        InboxRoutes(service: service).add(to: router)
        ReceiptRoutes(service: service).add(to: router)
        UserRoutes(service: service).add(to: router)
        AudienceRoutes(service: service).add(to: router)
        AppRoutes(service: service).add(to: router)
        StatusRoutes(service: service).add(to: router)
    }
}
