/** Numbers of MediaWiki's namespaces. They are the same on every wiki; only the names differ. */
export const MEDIA = -2
export const SPECIAL = -1
export const MAIN = 0
export const TALK = 1
export const USER = 2
export const USER_TALK = 3
export const PROJECT = 4
export const PROJECT_TALK = 5
export const FILE = 6
export const FILE_TALK = 7
export const MEDIAWIKI = 8
export const MEDIAWIKI_TALK = 9
export const TEMPLATE = 10
export const TEMPLATE_TALK = 11
export const HELP = 12
export const HELP_TALK = 13
export const CATEGORY = 14
export const CATEGORY_TALK = 15
/** Namespaces 828 and 829 belong to the extension Scribunto. */
export const MODULE = 828
export const MODULE_TALK = 829
