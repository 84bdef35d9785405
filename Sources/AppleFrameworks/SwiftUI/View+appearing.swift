import Foundation
@_spi(Simulation) import UserNotifications

extension View {
    /// Runs an action when the view appears.
    ///
    /// - Parameter action: called each time the window's views appear.
    public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        AppearingView(content: self) { action?() }
    }

    /// Starts a task when the window's views appear.
    ///
    /// - Parameters:
    ///   - priority: the task's priority.
    ///   - action: the task's work. Differs from iOS: the task is never cancelled.
    public func task(
        priority: TaskPriority = .userInitiated, _ action: @escaping @MainActor @Sendable () async -> Void
    ) -> some View {
        AppearingView(content: self) { Task(priority: priority) { await action() } }
    }
}

private struct AppearingView<Content: View>: View, ViewPart {
    let content: Content
    let appears: @MainActor () -> Void

    var body: Never { noBody(of: Self.self) }

    func collectPart(into content: inout ViewContent) {
        self.content.collect(into: &content)
        content.appears.append(appears)
    }
}
