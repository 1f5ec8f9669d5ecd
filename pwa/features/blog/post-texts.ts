import { pageHead } from '#pwa/lib/page-head.ts'
import { organisation } from '#pwa/lib/structured-data.ts'
import type { BlogPost, BlogPostSummary } from '#shared/contract/blog.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'
import { absoluteUrl } from '#shared/rules/absolute-url.ts'
import { siteCoach } from '#shared/values/posts.ts'

/** A post without a publishing date shows the date it was written. */
export const publishedOn = ({ publishedAt, createdAt }: Pick<BlogPostSummary, 'publishedAt' | 'createdAt'>) =>
  publishedAt ?? createdAt

/** Social networks don't show SVG drawings. A post without a photograph uses the blog's own picture there. */
const isPhoto = (address: string) => !/\.svg$/i.test(address)

export function postHead(post: BlogPost | undefined, site: SiteContent) {
  const siteName = site.brand.name
  if (!post) return pageHead({ title: 'Post not found', description: 'We can’t find that post.', siteName })
  const { title, excerpt } = post
  const image = [post.shareImage, post.featuredImage].find((one) => one && isPhoto(one)) ?? '/social/blog.png'
  const imageAlt = image === post.featuredImage ? post.featuredImageAlt : null
  // Only search engines read it, so no browser loads the code that makes it.
  const jsonLd = import.meta.env.SSR ? [structuredDataOf(post, image, site)] : []
  return pageHead({ title, description: excerpt ?? title, siteName, image, imageAlt, type: 'article', jsonLd })
}

const structuredDataOf = (post: BlogPost, image: string, { brand, url }: SiteContent) => ({
  '@type': 'BlogPosting',
  headline: post.title,
  ...(post.excerpt ? { description: post.excerpt } : {}),
  image: absoluteUrl(image, url),
  datePublished: publishedOn(post),
  author: [siteCoach, brand.name].includes(post.author)
    ? organisation({ brand, url })
    : { '@type': 'Person', name: post.author },
  publisher: organisation({ brand, url }),
  mainEntityOfPage: `${url}/blog/${post.slug}`,
})
