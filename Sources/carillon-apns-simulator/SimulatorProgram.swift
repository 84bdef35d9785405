import CommandSupport

/// The program `carillon-apns-simulator`: `carillon apns-simulator` alone, without the service and its databases.
///
/// It needs no library of the system but the C library, so it runs on any machine that has one recent enough.
@main
enum SimulatorProgram {
    static func main() async { await APNsSimulatorCommand.runAsProgram() }
}
