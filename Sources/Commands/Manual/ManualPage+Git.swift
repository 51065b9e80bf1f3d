// The manual page's prose about git.

import CommandLineInterface

extension ManualPage {
  /// The lines that let git compare with archtool.
  static let gitDiffSetup = """
    echo '*.plist diff=archtool' >> .gitattributes
    git config diff.archtool.command 'archtool git diff --'
    git config diff.archtool.textconv 'archtool git text --'
    """
  /// The lines that let git merge with archtool.
  static let gitMergeSetup = """
    echo '*.plist merge=archtool' >> .gitattributes
    git config merge.archtool.driver 'archtool git merge -- %O %A %B %L %P'
    git config merge.archtool.recursive binary
    """

  func git(_ page: inout MdocDocument) {
    page.section("GIT")
    page.text(
      "In a repository, these lines let git diff, git log -p, git show and git blame show values:")
    page.display(Self.gitDiffSetup)
    page.paragraph("And these let git merge, git rebase and git cherry-pick merge values:")
    page.display(Self.gitMergeSetup)
    page.paragraph(
      """
      A conflict is listed in the file PATH.conflicts.json beside the merged one, which has the \
      values of ours there. Remove it when you have decided.
      """, placeholders: ["PATH.conflicts.json"])
  }
}
