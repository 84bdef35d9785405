// Apple's BackgroundTasks re-exports Foundation.
@_exported import Foundation
