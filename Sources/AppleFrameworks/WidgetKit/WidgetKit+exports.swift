// Apple's WidgetKit re-exports Foundation.
@_exported import Foundation
