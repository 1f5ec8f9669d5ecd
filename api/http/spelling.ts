/** The API's calls and the sandbox are none: they have one spelling, and nobody is led there. */
export const isPage = (path: string) => !/^\/(api|sandbox)(\/|$)/.test(path)

/** Leads whoever reads a page under a slash too many to the one spelling it has. */
export function toOneSpelling({ method, url }: Request): Response | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const { pathname, search } = new URL(url)
  const path = `/${pathname.split('/').filter(Boolean).join('/')}`
  if (path === pathname || !isPage(decodePath(path).toLowerCase())) return undefined
  return new Response(null, { status: 308, headers: { location: `${path}${search}` } })
}

/** One spelling for one page; what cannot be decoded leads nowhere. */
export function decodePath(pathname: string): string {
  try {
    return decodeURI(pathname)
  } catch {
    return '/-'
  }
}
