import CarillonCore
import Hummingbird

extension ServiceRequestContext {
    /// A segment of the path that names a message.
    ///
    /// - Throws: 404 when no message can have that id.
    func messageID(_ name: String) throws -> MessageID {
        let text = try parameters.require(name)
        guard let id = try? MessageID(text) else { throw Problem.noSuchMessage(text) }
        return id
    }
}
