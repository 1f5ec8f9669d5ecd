import type { QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { BlogPost, BlogPostList } from '#shared/contract/blog.ts'
import type { PageName, PageTexts } from '#shared/contract/page-texts.ts'
import { MembershipTierList } from '#shared/contract/tier.ts'
import { api, parseResponse } from './api.ts'
import { RequestError } from './request-error.ts'

/**
 * What public pages request from the API once the visitor moves on from the page that the server sent. It is loaded with the
 * first such request, so that no first page carries the API's client and its schemas.
 */

const isObject = (value: unknown) => typeof value === 'object' && value !== null

/** Not checked further: the server did when it read its files. */
export function requestPageTexts<Name extends PageName>(page: Name): Promise<PageTexts[Name]> {
  return parseResponse(v.custom<PageTexts[Name]>(isObject), api.api['site-content'].get({ query: { page } }))
}

export async function requestTiers() {
  const { tiers } = await parseResponse(MembershipTierList, api.api['membership-tiers'].get())
  return tiers
}

export const requestPosts = () => parseResponse(BlogPostList, api.api.blog.get())

/** Null where no post has this slug. One that was asked for by an address it had before is known by its own, too. */
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
