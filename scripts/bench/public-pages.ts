/** The paths of all public pages and one post, from the sitemap. Or the requested ones, which must be in it. */
export async function listPublicPages(origin: string, requested: readonly string[] = []): Promise<string[]> {
  const paths = await readSitemap(origin)
  const unknown = requested.filter((path) => !paths.includes(path))
  if (unknown.length > 0) throw new Error(`There is no public page ${unknown.join(', ')}.`)
  if (requested.length > 0) return [...requested]
  const [post] = paths.filter(isPost)
  return [...paths.filter((path) => !isPost(path)), ...(post === undefined ? [] : [post])]
}

export async function findNewestPostPath(origin: string): Promise<string> {
  const path = (await readSitemap(origin)).find(isPost)
  if (path === undefined) throw new Error('There is no post.')
  return path
}

const isPost = (path: string) => path.startsWith('/blog/')

async function readSitemap(origin: string): Promise<string[]> {
  const response = await fetch(`${origin}/sitemap.xml`)
  if (!response.ok) throw new Error(`The sitemap responded with ${response.status}.`)
  const xml = await response.text()
  return [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname)
}
