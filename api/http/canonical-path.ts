/** Whether an address is a page or file of the site: the API's calls and the sandbox's are not. */
export const isPagePath = (path: string) => !/^\/(api|sandbox)(\/|$)/.test(path)

/** Redirects the reader of a page from a path with superfluous slashes to its canonical one. A call gets no redirect. */
export function redirectToCanonicalPath({ method, url }: Request): Response | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (isSurelyCanonical(url)) return undefined
  const { pathname, search } = new URL(url)
  const path = `/${pathname.split('/').filter(Boolean).join('/')}`
  if (path === pathname || !isPagePath(decodePath(path).toLowerCase())) return undefined
  return new Response(null, { status: 308, headers: { location: `${path}${search}` } })
}

/** Without parsing it, which takes longer than the rest of many a request: no empty part, and nothing that parsing resolves. */
function isSurelyCanonical(url: string): boolean {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const query = url.indexOf('?', start)
  const path = url.slice(start, query < 0 ? undefined : query)
  return start > 0 && !/\/\/|\/\.|%2e|\\/i.test(path) && (path === '/' || !path.endsWith('/'))
}

/** Percent-decoded, so that a page is cached once however its path is spelled; a path that cannot be decoded matches no page. */
export function decodePath(pathname: string): string {
  try {
    return decodeURI(pathname)
  } catch {
    return '/-'
  }
}
