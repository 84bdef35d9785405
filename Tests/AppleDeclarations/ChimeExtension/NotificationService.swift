import Chime

nonisolated final class NotificationService: ChimeNotificationService {}
