import CommandSupport

/// The program `carillon-apns-simulator`: `carillon apns-simulator` alone, without the service and its databases.
///
/// The C library is the only system library that the program needs, so it runs on any machine whose C library is recent enough.
@main
enum SimulatorProgram {
    static func main() async {
        ProgramSignals.takeForServer(hangUp: .ends)
        await APNsSimulatorCommand.runAsProgram()
    }
}
