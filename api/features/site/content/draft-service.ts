import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { contentDrafts } from '#api/db/schema/content.ts'
import { AppError } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import {
  type ContentDraftList,
  type ContentDraftRequest,
  type ContentDraftState,
  ContentPage,
  type ContentPageState,
} from '#shared/contract/admin-content.ts'
import { applyOverrides, type Override } from '#shared/rules/overrides.ts'
import { editContent, problemsOfPage, readContentPage } from './edit-service.ts'
import { embedPath, previewLink } from './preview-service.ts'
import { changedSince, draftOf, draftsOf, removeDraft } from './queries.ts'

const Stored = v.fallback(v.record(v.string(), v.unknown()), {})

const toOverrides = (entries: Record<string, unknown>): Override[] =>
  Object.entries(entries).map(([entry, value]) => ({ entry, value }))

/** The terminal has a file instead of a draft. */
function userIdOf({ userId }: Owner): string {
  if (userId === null) throw new AppError('forbidden', 'Drafts belong to an owner who is logged in.')
  return userId
}

export function readDraft(ctx: Context, owner: Owner, page: ContentPage): ContentDraftState {
  const userId = userIdOf(owner)
  const row = draftOf.get(ctx, { page, userId })
  const entries = v.parse(Stored, row?.entries ?? {})
  return {
    draft: row === undefined ? null : { version: row.version, entries, updatedAt: row.updatedAt },
    problems: problemsOfPage(ctx, page, withEntries(readContentPage(ctx, page), entries)),
    changedSince:
      row === undefined ? [] : changedSince.all(ctx, { page, version: row.version }).map(({ entry }) => entry),
    frame: embedPath(ctx, { page, userId }),
    link: previewLink(ctx, { page, userId }),
  }
}

/** Skips pages that no longer exist. */
export const listDrafts = (ctx: Context, owner: Owner): ContentDraftList =>
  draftsOf
    .all(ctx, { userId: userIdOf(owner) })
    .flatMap(({ page, updatedAt }) => (v.is(ContentPage, page) ? [{ page, updatedAt }] : []))

const withEntries = ({ value }: ContentPageState, entries: Record<string, unknown>) =>
  applyOverrides(value, toOverrides(entries))

/** 512 kB, ten times the longest page of text. */
const mostBytes = 512 * 1024

/** The last save wins: an owner has one draft per page across their devices. */
export function saveDraft(
  ctx: Context,
  owner: Owner,
  { page, version, entries }: ContentDraftRequest & { page: ContentPage },
): ContentDraftState {
  const userId = userIdOf(owner)
  if (JSON.stringify(entries).length > mostBytes) throw new AppError('too_large', 'This draft is too long.')
  const updatedAt = ctx.now().toISOString()
  if (Object.keys(entries).length === 0) removeDraft.run(ctx, { page, userId })
  else upsert(ctx, contentDrafts, { page, userId, entries, version, updatedAt })
  return readDraft(ctx, owner, page)
}

export function dropDraft(ctx: Context, owner: Owner, page: ContentPage) {
  removeDraft.run(ctx, { page, userId: userIdOf(owner) })
  return { success: true as const }
}

/** Replaces the page's entries like an edit of the whole page, and deletes the draft. */
export function publishDraft(
  ctx: Context,
  owner: Owner,
  { page, version, entries }: ContentDraftRequest & { page: ContentPage },
): ContentPageState {
  const value = withEntries(readContentPage(ctx, page), entries)
  const published = editContent(ctx, owner, { page, version, entry: '', value, isTrial: false })
  if (owner.userId !== null) removeDraft.run(ctx, { page, userId: owner.userId })
  return published
}
