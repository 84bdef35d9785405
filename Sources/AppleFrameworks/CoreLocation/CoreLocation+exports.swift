// Apple's CoreLocation re-exports Foundation.
@_exported import Foundation
