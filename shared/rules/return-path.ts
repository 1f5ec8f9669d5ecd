const membersArea = '/members'

/** The only API paths a login may lead to: documents to read. A request to any other could change something. */
const readableDocument = /^\/api\/billing\/(invoices|credit-notes)\/[\w-]+(\/pdf)?$/

/** Whether the server renders this page, and not the app. */
export const isServerPage = (path: string) => /^\/(api\/|sandbox(\/mail(\/[\w-]+)?)?$)/.test(path)

/**
 * The page in a `redirect` parameter if it's one of this site's: a path with a single leading `/`. Anything else, such as
 * `//elsewhere.example` or `/\elsewhere.example`, leads to the members' area.
 */
export function returnPath(redirect: string | undefined): string {
  if (!redirect || !/^\/(?![/\\])/.test(redirect)) return membersArea
  const base = 'http://own.invalid'
  if (!URL.canParse(redirect, base)) return membersArea
  const { origin, pathname, search, hash } = new URL(redirect, base)
  const isPage = pathname.startsWith('/api/') ? readableDocument.test(pathname) : pathname !== '/login'
  const isOwn = origin === base && !pathname.startsWith('//') && isPage
  return isOwn ? `${pathname}${search}${hash}` : membersArea
}
