import type { QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { BlogPost, BlogPostList } from '#shared/contract/blog.ts'
import type { PageName, PageTexts } from '#shared/contract/page-texts.ts'
import { MembershipTierList } from '#shared/contract/tier.ts'
import { api, parseResponse } from './api.ts'
import { RequestError } from './request-error.ts'

/**
 * The API requests public pages make once the visitor moves on from the first, server-rendered page. They load on demand, so first
 * pages don't carry the API client and its schemas.
 */

const isObject = (value: unknown) => typeof value === 'object' && value !== null

/** Not checked further: the server checked the texts when it read its files. */
export function requestPageTexts<Name extends PageName>(page: Name): Promise<PageTexts[Name]> {
  return parseResponse(v.custom<PageTexts[Name]>(isObject), api.api['site-content'].get({ query: { page } }))
}

export async function requestTiers() {
  const { tiers } = await parseResponse(MembershipTierList, api.api['membership-tiers'].get())
  return tiers
}

export const requestPosts = () => parseResponse(BlogPostList, api.api.blog.get())

/** Null if no post has this slug. A post requested by an earlier slug is cached under its current one too. */
export async function requestPost(slug: string, client: QueryClient): Promise<BlogPost | null> {
  try {
    const post = await parseResponse(BlogPost, api.api.blog({ slug }).get())
    if (post.slug !== slug) client.setQueryData(['blog', post.slug], post)
    return post
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return null
    throw error
  }
}
