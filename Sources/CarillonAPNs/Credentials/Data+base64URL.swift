import Foundation

extension Data {
    /// The data in Base64 with the URL alphabet and without padding
    /// ([RFC 7515 §2](https://www.rfc-editor.org/rfc/rfc7515#section-2)).
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
