/** All modules of `action=query`, and the names of those that MediaWiki has and this server lacks. */
import { allImages, imageInfo, images, pageImages } from './files.js'
import { allPages } from './list/allpages.js'
import { allRevisions } from './list/allrevisions.js'
import { backlinks, embeddedIn, imageUsage } from './list/backlinks.js'
import { categoryMembers } from './list/categorymembers.js'
import { extUrlUsage, iwBacklinks, langBacklinks } from './list/elsewhere.js'
import { allFileUsages, allLinks, allRedirects, allTransclusions } from './list/links.js'
import { logEvents } from './list/logevents.js'
import { recentChanges } from './list/recentchanges.js'
import { allUsers, users } from './list/users.js'
import { userContribs } from './list/usercontribs.js'
import { allCategories, random, tags } from './list/lists.js'
import { protectedTitles } from './list/protectedtitles.js'
import { prefixSearch, search } from './list/search.js'
import { allMessages, fileRepoInfo } from './meta/messages.js'
import { siteInfo } from './meta/siteinfo.js'
import { tokens, userInfo } from './meta/user.js'
import type { ListModule, MetaModule, PropModule } from './module.js'
import { categories } from './prop/categories.js'
import { contributors } from './prop/contributors.js'
import { extLinks, iwLinks, langLinks } from './prop/elsewhere.js'
import { extracts } from './prop/extracts.js'
import { categoryInfo, description, pageProps } from './prop/facts.js'
import { info } from './prop/info.js'
import { links, templates } from './prop/links.js'
import { fileUsage, linksHere, redirects, transcludedIn } from './prop/linksTo.js'
import { revisions } from './prop/revisions.js'

export const PROPS: readonly PropModule[] = [
  categories,
  categoryInfo,
  contributors,
  description,
  extLinks,
  extracts,
  fileUsage,
  imageInfo,
  images,
  info,
  iwLinks,
  langLinks,
  links,
  linksHere,
  pageImages,
  pageProps,
  redirects,
  revisions,
  templates,
  transcludedIn,
]
export const LISTS: readonly ListModule[] = [
  allCategories,
  allFileUsages,
  allImages,
  allLinks,
  allPages,
  allRedirects,
  allRevisions,
  allTransclusions,
  allUsers,
  backlinks,
  categoryMembers,
  embeddedIn,
  extUrlUsage,
  imageUsage,
  iwBacklinks,
  langBacklinks,
  logEvents,
  prefixSearch,
  protectedTitles,
  random,
  recentChanges,
  search,
  tags,
  userContribs,
  users,
]
export const METAS: readonly MetaModule[] = [allMessages, fileRepoInfo, siteInfo, tokens, userInfo]

const names = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Of MediaWiki's core. */
const CORE = {
  prop: names(`deletedrevisions duplicatefiles extlinks fileusage iwlinks langlinks links linkshere redirects stashimageinfo
    templates transcludedin`),
  list: names(`alldeletedrevisions allfileusages alllinks allredirects allrevisions alltransclusions allusers backlinks
    blocks embeddedin exturlusage filearchive imageusage iwbacklinks langbacklinks logevents mystashedfiles
    pagepropnames pageswithprop protectedtitles querypage recentchanges tags usercontribs users watchlist watchlistraw`),
  meta: names('authmanagerinfo languageinfo'),
} as const

const missing = (core: readonly string[], built: readonly { readonly name: string }[]): readonly string[] =>
  core.filter((name) => !built.some((module) => module.name === name))

export const ELSEWHERE = {
  prop: missing(CORE.prop, PROPS),
  list: missing(CORE.list, LISTS),
  meta: missing(CORE.meta, METAS),
}
