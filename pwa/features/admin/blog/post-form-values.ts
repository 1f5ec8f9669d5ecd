import type { FormValues } from '#pwa/features/admin/draft-storage.ts'
import { newRowValues, publishedValues } from '#pwa/features/admin/published-form.tsx'
import type { AdminPost } from '#shared/contract/admin-post.ts'
import { siteCoach } from '#shared/contract/blog.ts'

export const newPostValues = (): FormValues => newRowValues({ author: siteCoach })

export const valuesOfPost = (post: AdminPost): FormValues => ({
  title: post.title,
  slug: post.slug,
  excerpt: post.excerpt ?? '',
  content: post.content,
  author: post.author,
  featuredImage: post.featuredImage ?? '',
  shareImage: post.shareImage ?? '',
  ...publishedValues(post),
})
