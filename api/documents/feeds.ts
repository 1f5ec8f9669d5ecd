/* Our own code: `feed` 6 keeps control characters, which XML forbids, and puts in the build time, so its ETag would change
   with every start. `sitemap` 9 writes streams and brings an XML parser. */

export type FeedPost = {
  title: string
  slug: string
  excerpt: string | null
  author: string
  publishedAt: string
  updatedAt: string
}

export type FeedChannel = { title: string; description: string }

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML may not hold them, escaped or not
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

export const escapeXml = (text: string) => Bun.escapeHTML(text.replace(notXml, ''))

/** Words in a part that readers show as HTML. */
export const escapeHtmlText = (text: string) => escapeXml(Bun.escapeHTML(text))

const postAddress = (publicUrl: string, { slug }: FeedPost) => `${publicUrl}/blog/${encodeURIComponent(slug)}`

/** Every page search engines may list (sitemaps.org, 0.9). */
export function renderSitemap(publicUrl: string, paths: readonly string[], posts: readonly FeedPost[]): string {
  const pages = paths.map((path) => `<url><loc>${escapeXml(encodeURI(publicUrl + path))}</loc></url>`)
  const articles = posts.map(
    (post) =>
      `<url><loc>${escapeXml(postAddress(publicUrl, post))}</loc><lastmod>${escapeXml(post.updatedAt)}</lastmod></url>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${[...pages, ...articles].join('\n')}
</urlset>
`
}

/** RSS 2.0, newest first. */
export function renderRss(publicUrl: string, { title, description }: FeedChannel, posts: readonly FeedPost[]): string {
  const items = posts.map((post) => feedItem(publicUrl, post))
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>${escapeXml(title)}</title>
<link>${escapeXml(`${publicUrl}/blog`)}</link>
<description>${escapeHtmlText(description)}</description>
<language>en-gb</language>
<atom:link href="${escapeXml(`${publicUrl}/rss.xml`)}" rel="self" type="application/rss+xml"/>
${items.join('\n')}
</channel>
</rss>
`
}

function feedItem(publicUrl: string, post: FeedPost): string {
  const address = escapeXml(postAddress(publicUrl, post))
  return `<item>
<title>${escapeXml(post.title)}</title>
<link>${address}</link>
<guid isPermaLink="true">${address}</guid>
<pubDate>${new Date(post.publishedAt).toUTCString()}</pubDate>
<dc:creator>${escapeXml(post.author)}</dc:creator>
<description>${escapeHtmlText(post.excerpt ?? post.title)}</description>
</item>`
}

/** `/members$` is anchored, because /membership-tiers also starts with it. */
const privatePaths = ['/api/', '/sandbox/', '/admin', '/dashboard', '/members$', '/members/', '/view-member/']

export const renderRobots = (publicUrl: string): string => `User-agent: *
${privatePaths.map((path) => `Disallow: ${path}`).join('\n')}

Sitemap: ${publicUrl}/sitemap.xml
`
