export const isPagePath = (path: string) => !/^\/(api|sandbox)(\/|$)/.test(path)

/** Redirects page requests with superfluous slashes to the canonical path. API calls aren't redirected. */
export function redirectToCanonicalPath({ method, url }: Request): Response | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (isSurelyCanonical(url)) return undefined
  const { pathname, search } = new URL(url)
  const path = `/${pathname.split('/').filter(Boolean).join('/')}`
  if (path === pathname || !isPagePath(decodePath(path).toLowerCase())) return undefined
  return new Response(null, { status: 308, headers: { location: `${path}${search}` } })
}

/** Checks without parsing, which takes longer than the rest of many requests: no empty segment, nothing parsing would change. */
function isSurelyCanonical(url: string): boolean {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const query = url.indexOf('?', start)
  const path = url.slice(start, query < 0 ? undefined : query)
  return start > 0 && !/\/\/|\/\.|%2e|\\/i.test(path) && (path === '/' || !path.endsWith('/'))
}

/** Decodes the path, so a page is cached once however its path is spelled. A malformed path matches no page. */
export function decodePath(pathname: string): string {
  try {
    return decodeURI(pathname)
  } catch {
    return '/-'
  }
}
