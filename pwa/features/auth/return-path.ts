/** Where somebody goes after logging in when no page sent him here. */
export const membersArea = '/members'

/**
 * The page that a `redirect` parameter names, if it is one of this site: a path with a single leading `/`. Everything
 * else, such as `//elsewhere.example` or `/\elsewhere.example`, leads to the members' area.
 */
export const returnPath = (asked: string | undefined): string => {
  if (!asked || !/^\/(?![/\\])/.test(asked)) return membersArea
  const base = 'http://own.invalid'
  if (!URL.canParse(asked, base)) return membersArea
  const { origin, pathname, search, hash } = new URL(asked, base)
  const isOwn = origin === base && !pathname.startsWith('//') && pathname !== '/login'
  return isOwn ? `${pathname}${search}${hash}` : membersArea
}
