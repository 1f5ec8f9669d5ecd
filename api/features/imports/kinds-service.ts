import type { ImportKindName } from '#shared/contract/imports.ts'
import type { ImportKind } from './kind-rules.ts'
import { membersKind } from './members-service.ts'
import { postsKind } from './posts/posts-service.ts'
import { stripeKind } from './stripe-service.ts'
import { videosKind } from './videos-service.ts'

/** Each kind only meets rows it has read itself, so their type is its own business. */
type AnyKind = ImportKind<unknown>

const kinds: Partial<Record<ImportKindName, AnyKind>> = {
  members: hidden(membersKind),
  posts: hidden(postsKind),
  lessons: hidden(videosKind),
  stripe: hidden(stripeKind),
}

function hidden<Row>(kind: ImportKind<Row>): AnyKind {
  return kind as unknown as AnyKind
}

export const findKind = (name: ImportKindName): AnyKind | undefined => kinds[name]
