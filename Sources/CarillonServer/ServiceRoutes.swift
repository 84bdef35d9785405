import Hummingbird

/// All routes of the HTTP API, by group.
struct ServiceRoutes {
    let service: ServiceContext
    let store: Store

    func add(to router: Router<ServiceRequestContext>) {
        NotificationRoutes(service: service, messages: store.messages).add(to: router)
        DeviceRoutes(service: service, devices: store.devices, apps: store.apps).add(to: router)
        ImportRoutes(service: service, devices: store.devices).add(to: router)
        InboxRoutes(service: service, users: store.users).add(to: router)
        ReceiptRoutes(service: service, receipts: store.sync).add(to: router)
        UserRoutes(service: service, users: store.users).add(to: router)
        AudienceRoutes(service: service, messages: store.messages).add(to: router)
        AppRoutes(service: service, apps: store.apps).add(to: router)
        StatusRoutes(service: service, upkeep: store.upkeep).add(to: router)
    }
}
