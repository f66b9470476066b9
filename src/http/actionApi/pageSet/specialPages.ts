/** Names of special pages. Those that this server lacks count too: links and clients name them. */

const NAMES = `ActiveUsers AllMessages AllPages ApiHelp ApiSandbox AutoblockList Badtitle BlankPage Block BlockList BookSources
  BotPasswords BrokenRedirects Categories ChangeContentModel ChangeCredentials ChangeEmail ChangePassword ComparePages
  Confirmemail Contributions CreateAccount DeadendPages DeletedContributions DeletePage Diff DoubleRedirects EditPage
  EditTags EditWatchlist EmailUser ExpandTemplates Export FewestRevisions FileDuplicateSearch Filepath GoToInterwiki
  Import Interwiki LinkAccounts LinkSearch ListBots ListDuplicatedFiles ListFiles ListGrants ListGroupRights
  ListRedirects ListUsers Lockdb Log LonelyPages LongPages MediaStatistics MergeHistory MIMEsearch MostCategories
  MostImages MostInterwikis MostLinked MostLinkedCategories MostLinkedTemplates MostRevisions MovePage Mute MyContributions
  MyLanguage MyLog MyPage MyTalk MyUploads NewFiles NewPages NewSection PageData PageHistory PageInfo PageLanguage
  PagesWithProp PasswordPolicies PasswordReset PermanentLink Preferences PrefixIndex ProtectedPages ProtectedTitles
  ProtectPage Purge Random RandomInCategory RandomPage RandomRedirect RandomRootPage RecentChanges RecentChangesLinked Redirect
  RemoveCredentials RenameUser ResetTokens RevisionDelete RunJavaScript Search ShortPages SpecialPages Statistics Tags
  TrackingCategories Unblock UncategorizedCategories UncategorizedImages UncategorizedPages UncategorizedTemplates
  Undelete UnlinkAccounts Unlockdb UnusedCategories UnusedImages UnusedTemplates UnwatchedPages Upload UploadStash
  UserLogin UserLogout UserRights Version WantedCategories WantedFiles WantedPages WantedTemplates Watchlist WhatLinksHere
  WithoutInterwiki`

const BY_FOLDED_NAME = new Map(NAMES.split(/\s+/).map((name) => [name.toLowerCase(), name]))

/** `dbkey` may have a part after a slash. */
export const isSpecialPage = (dbkey: string): boolean =>
  BY_FOLDED_NAME.has(dbkey.replace(/\/.*$/s, '').replaceAll('_', '').toLowerCase())

/** All names, in order. */
export const specialPageNames = (): readonly string[] => [...BY_FOLDED_NAME.values()]
