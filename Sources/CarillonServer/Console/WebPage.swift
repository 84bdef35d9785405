import CarillonPage
import HTTPTypes
import Hummingbird

/// A web page at `/`, with its files.
///
/// The service itself serves no page. The program that runs the service adds ``console``, or a page of its own. Both
/// include ``sharedFiles``.
package struct WebPage: Sendable {
    /// The page's files in their source form, from which ``served`` is made.
    package let files: [PageFile]
    /// The page's files as a browser loads them: the scripts joined to one file, and the style sheets to another.
    let served: [ServedFile]

    /// Makes a page of files.
    ///
    /// - Parameter files: all files that the page loads, including `index.html`, with distinct names.
    package init(_ files: [PageFile]) {
        self.files = files
        served = PageBundle(files).files.map(ServedFile.init)
    }

    /// Adds one route for each file that a browser loads.
    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        for file in served {
            router.get(RouterPath(file.file.path)) { request, _ in
                file.response(to: request.headers, headers: Self.headers)
            }
        }
    }

    /// The headers of every file: no other page may read the files or open them in a frame.
    static let headers: HTTPFields = {
        var headers: HTTPFields = [:]
        for (name, value) in PagePolicy.headers { if let name = HTTPField.Name(name) { headers[name] = value } }
        return headers
    }()
}
