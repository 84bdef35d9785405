import SwiftUI

@main
struct HarbourApp: App {
    @UIApplicationDelegateAdaptor(HarbourDelegate.self) private var delegate
    @Environment(\.scenePhase) private var scenePhase

    var body: some Scene {
        WindowGroup {
            HarbourView(log: delegate.log)
                .task { delegate.log.note("on the screen") }
        }
        .onChange(of: scenePhase) { phase in delegate.log.note("\(phase)") }
    }
}

struct HarbourView: View {
    let log: HarbourLog

    var body: some View {
        VStack {
            Text("Harbour")
            if let last = log.lines.first {
                Text("first: \(last)")
            } else {
                Text(verbatim: "nothing yet")
            }
        }
        .onAppear { log.note("appeared") }
    }
}
