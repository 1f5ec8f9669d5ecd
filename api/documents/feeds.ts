export type FeedPost = {
  title: string
  slug: string
  excerpt: string | null
  author: string
  publishedAt: string
  updatedAt: string
}

/** What feed readers call the blog. */
export type FeedChannel = { title: string; description: string }

// biome-ignore lint/suspicious/noControlCharactersInRegex: they may not stand in XML, escaped or not
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

const xml = (text: string) => Bun.escapeHTML(text.replace(unwritable, ''))

const postAddress = (publicUrl: string, { slug }: FeedPost) => `${publicUrl}/blog/${encodeURIComponent(slug)}`

/** Every page that search engines may list (sitemaps.org, 0.9). */
export function sitemap(publicUrl: string, paths: readonly string[], posts: readonly FeedPost[]): string {
  const pages = paths.map((path) => `<url><loc>${xml(encodeURI(publicUrl + path))}</loc></url>`)
  const articles = posts.map(
    (post) => `<url><loc>${xml(postAddress(publicUrl, post))}</loc><lastmod>${xml(post.updatedAt)}</lastmod></url>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${[...pages, ...articles].join('\n')}
</urlset>
`
}

/** RSS 2.0, newest first. */
export function rss(publicUrl: string, { title, description }: FeedChannel, posts: readonly FeedPost[]): string {
  const items = posts.map((post) => item(publicUrl, post))
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>${xml(title)}</title>
<link>${xml(`${publicUrl}/blog`)}</link>
<description>${xml(description)}</description>
<language>en-gb</language>
<atom:link href="${xml(`${publicUrl}/rss.xml`)}" rel="self" type="application/rss+xml"/>
${items.join('\n')}
</channel>
</rss>
`
}

function item(publicUrl: string, post: FeedPost): string {
  const address = xml(postAddress(publicUrl, post))
  return `<item>
<title>${xml(post.title)}</title>
<link>${address}</link>
<guid isPermaLink="true">${address}</guid>
<pubDate>${new Date(post.publishedAt).toUTCString()}</pubDate>
<dc:creator>${xml(post.author)}</dc:creator>
<description>${xml(post.excerpt ?? post.title)}</description>
</item>`
}

/** `/members` stops at its end, or /membership-tiers would begin with it. */
const closed = ['/api/', '/sandbox/', '/admin', '/dashboard', '/members$', '/members/', '/view-member/']

export const robots = (publicUrl: string): string => `User-agent: *
${closed.map((path) => `Disallow: ${path}`).join('\n')}

Sitemap: ${publicUrl}/sitemap.xml
`
