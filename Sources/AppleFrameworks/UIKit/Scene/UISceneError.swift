import Foundation

public let UISceneErrorDomain = "UISceneErrorDomain"

/// The error of a refused request about scenes.
/// [UISceneError](https://developer.apple.com/documentation/uikit/uisceneerror)
@available(iOS 13, *)
public struct UISceneError: Error, Hashable, Sendable, CustomNSError, LocalizedError {
    public enum Code: Int, Sendable {
        case multipleScenesNotSupported = 0
        case requestDenied = 1
        case geometryRequestUnsupported = 100
        case geometryRequestDenied = 101
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }

    public static var errorDomain: String { UISceneErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: sentence] }
    public var errorDescription: String? { sentence }

    public static let multipleScenesNotSupported = Code.multipleScenesNotSupported
    public static let requestDenied = Code.requestDenied
    public static let geometryRequestUnsupported = Code.geometryRequestUnsupported
    public static let geometryRequestDenied = Code.geometryRequestDenied

    private var sentence: String {
        switch code {
        case .multipleScenesNotSupported: "The application does not support multiple scenes"
        case .requestDenied: "The request was denied"
        case .geometryRequestUnsupported: "The geometry request is not supported"
        case .geometryRequestDenied: "The geometry request was denied"
        }
    }
}

/// Matches an error in `catch UISceneError.multipleScenesNotSupported`.
public func ~= (code: UISceneError.Code, error: any Error) -> Bool { (error as? UISceneError)?.code == code }
