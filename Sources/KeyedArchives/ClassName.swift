public struct ClassName { public let stored: String; public init(stored: String) { self.stored = stored }; public var display: String { stored }
public func matches(pattern: String) -> Bool { stored == pattern } }
