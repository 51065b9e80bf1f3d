// What the program knows of its own schemas before it reads them is what they say.

import ArchivePropertyLists
import Testing

@testable import ArchiveSchemas

@Suite struct BuiltInFamilyTests {
  @Test func factsAreThoseOfTheSchemas() throws {
    for files in BuiltInFamilies.all {
      for (name, version) in files.schemas {
        let tree = try JSONTree(json: version.json)
        let rule = try ArchiveRule(tree["x-archive"], isNeeded: true)
        let known = version.archive
        #expect(known.envelope == rule.envelope, "\(name)")
        #expect(known.classPatterns == rule.classPatterns, "\(name)")
        #expect(known.topKey == rule.topKey, "\(name)")
        #expect(known.allowsList == rule.allowsList, "\(name)")
      }
    }
  }

  @Test func membersAreThoseOfTheCompiledSchemas() throws {
    for version in try SchemaCatalog(folders: []).versions {
      let members = version.schema.members
      #expect(version.requiredMembers == version.schema.requiredMembers, "\(version.label)")
      #expect(members == Set(version.requiredMembers), "\(version.label)")
      #expect(members.allSatisfy(version.names), "\(version.label)")
      #expect(!version.names(""), "\(version.label)")
    }
  }
}
