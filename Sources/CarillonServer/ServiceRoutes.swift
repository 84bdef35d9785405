import Hummingbird

/// All routes of the HTTP API, by group.
struct ServiceRoutes {
    /// The routes for one kind of caller.
    enum Group: CaseIterable { case phones, backends, operators }

    let service: ServiceContext
    let store: Store
    /// The connection to APNs, whose counts the metrics show; `nil` if this process has none.
    var sender: (any NotificationSender)?

    /// Adds the routes of groups to the router of a listener.
    ///
    /// - Parameters:
    ///   - groups: the groups.
    ///   - router: the router.
    ///   - isSecure: whether the listener speaks TLS. The default is `false`.
    func add(_ groups: [Group], to router: Router<ServiceRequestContext>, isSecure: Bool = false) {
        for group in groups {
            switch group {
            case .phones: addPhones(to: router)
            case .backends: addBackends(to: router)
            case .operators:
                StatusRoutes(service: service, upkeep: store.upkeep, sender: sender).add(to: router, isSecure: isSecure)
            }
        }
    }

    private func addPhones(to router: Router<ServiceRequestContext>) {
        DeviceRoutes(service: service, devices: store.devices, apps: store.apps).add(to: router)
        InboxRoutes(service: service, users: store.users).add(to: router)
        ReceiptRoutes(service: service, receipts: store.sync).add(to: router)
        ActivityReceiptRoutes(service: service, activities: store.activities).add(to: router)
    }

    private func addBackends(to router: Router<ServiceRequestContext>) {
        NotificationRoutes(
            service: service, messages: store.messages, widgets: store.widgets, templates: store.templates
        ).add(to: router)
        TemplateRoutes(service: service, templates: store.templates, devices: store.devices).add(to: router)
        LiveActivityRoutes(service: service, activities: store.activities).add(to: router)
        WidgetRoutes(service: service, widgets: store.widgets).add(to: router)
        DeviceRoutes(service: service, devices: store.devices, apps: store.apps).addList(to: router)
        ImportRoutes(service: service, devices: store.devices, audit: store.audit).add(to: router)
        UserRoutes(service: service, users: store.users, devices: store.devices).add(to: router)
        AudienceRoutes(service: service, messages: store.messages).add(to: router)
        AppRoutes(service: service, apps: store.apps).add(to: router)
        FeedRoutes(service: service, feed: store.feed).add(to: router)
        DoorRoutes(service: service, messages: store.messages, devices: store.devices).add(to: router)
        FigureRoutes(service: service, figures: store.figures).add(to: router)
        WebhookRoutes(service: service, webhooks: store.webhooks).add(to: router)
    }
}
