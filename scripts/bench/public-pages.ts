/** Paths of all public pages and of one post, as the site tells them to search engines; or those named, if there are such. */
export async function publicPages(origin: string, named: readonly string[] = []): Promise<string[]> {
  const paths = await listedPaths(origin)
  const unknown = named.filter((path) => !paths.includes(path))
  if (unknown.length > 0) throw new Error(`There is no public page ${unknown.join(', ')}`)
  if (named.length > 0) return [...named]
  const [post] = paths.filter(isPost)
  return [...paths.filter((path) => !isPost(path)), ...(post === undefined ? [] : [post])]
}

/** Of the newest post. */
export async function postPath(origin: string): Promise<string> {
  const path = (await listedPaths(origin)).find(isPost)
  if (path === undefined) throw new Error('There is no post.')
  return path
}

const isPost = (path: string) => path.startsWith('/blog/')

async function listedPaths(origin: string): Promise<string[]> {
  const response = await fetch(`${origin}/sitemap.xml`)
  if (!response.ok) throw new Error(`The sitemap answered ${response.status}.`)
  const map = await response.text()
  return [...map.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname)
}
