import Foundation

// A file that imports Foundation alone, as on Apple's platforms.
extension URLSession {
    func fetch(_ path: String, completion: @escaping (String?) -> Void) {
        guard let url = URL(string: path) else { return completion(nil) }
        dataTask(with: url) { data, _, _ in completion(data.flatMap { String(data: $0, encoding: .utf8) }) }.resume()
    }
}
