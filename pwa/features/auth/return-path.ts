/** Where somebody goes after logging in when no page sent him here. */
export const membersArea = '/members'

/** Of what the server itself shows, these alone: no other call is to be made by a login. */
const document = /^\/api\/billing\/(invoices|credit-notes)\/[\w-]+(\/pdf)?$/

/** Whether the server draws this page, and not the app. */
export const isServersPage = (path: string) => path.startsWith('/api/')

/**
 * The page that a `redirect` parameter names, if it is one of this site: a path with a single leading `/`. Everything
 * else, such as `//elsewhere.example` or `/\elsewhere.example`, leads to the members' area.
 */
export function returnPath(asked: string | undefined): string {
  if (!asked || !/^\/(?![/\\])/.test(asked)) return membersArea
  const base = 'http://own.invalid'
  if (!URL.canParse(asked, base)) return membersArea
  const { origin, pathname, search, hash } = new URL(asked, base)
  const isPage = pathname.startsWith('/api/') ? document.test(pathname) : pathname !== '/login'
  const isOwn = origin === base && !pathname.startsWith('//') && isPage
  return isOwn ? `${pathname}${search}${hash}` : membersArea
}
