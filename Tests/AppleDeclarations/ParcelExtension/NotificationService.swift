import ParcelService

nonisolated final class NotificationService: ParcelNotificationService {}
