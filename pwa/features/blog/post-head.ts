import { pageHead } from '#pwa/lib/page-head.ts'
import type { BlogPost } from '#shared/contract/blog.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'
import { absoluteAddress } from '#shared/rules/absolute-address.ts'
import { publishedOn } from './published-on.ts'

/** Networks show no drawings: only a photograph stands for its post, else the blog's own picture does. */
const isPhoto = (address: string) => !/\.svg$/i.test(address)

/** What tabs, search engines and networks show of a post, or that there is none. */
export const postHead = (post: BlogPost | undefined, { brand, url }: SiteContent) => {
  const siteName = brand.name
  if (!post) return pageHead({ title: 'Post not found', description: 'There is no post here.', siteName })
  const { title, excerpt, featuredImage } = post
  const image = featuredImage && isPhoto(featuredImage) ? featuredImage : '/social/blog.png'
  // Nobody reads them in a browser, so no browser loads what makes them.
  const jsonLd = import.meta.env.SSR ? [factsOf(post, image, { siteName, url })] : []
  return pageHead({ title, description: excerpt ?? title, siteName, image, type: 'article', jsonLd })
}

const factsOf = (post: BlogPost, image: string, { siteName, url }: { siteName: string; url: string }) => ({
  '@type': 'BlogPosting',
  headline: post.title,
  ...(post.excerpt ? { description: post.excerpt } : {}),
  image: absoluteAddress(image, url),
  datePublished: publishedOn(post),
  author: { '@type': 'Person', name: post.author },
  publisher: { '@type': 'Organization', name: siteName, url },
  mainEntityOfPage: `${url}/blog/${post.slug}`,
})
