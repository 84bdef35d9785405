import CarillonCore
import Hummingbird

extension ServiceRequestContext {
    /// Returns the message id in a segment of the path.
    ///
    /// - Throws: ``Problem`` 404 if no message can have that id.
    func messageID(_ name: String) throws -> MessageID {
        let text = try parameters.require(name)
        guard let id = try? MessageID(text) else { throw Problem.noSuchMessage(text) }
        return id
    }
}
