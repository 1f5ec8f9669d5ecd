import { and, eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow, upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { contentChanges, contentOverrides } from '#api/db/schema/content.ts'
import { AppError, notFound, versionConflict } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { contentOf, contentSettingsOf, mergeContent, placeholderValues, schemaOf } from '#api/site/content.ts'
import { problemsOf } from '#api/site/content-files.ts'
import { listOverrides } from '#api/site/content-queries.ts'
import {
  type ContentChangesOfPage,
  type ContentEdit,
  type ContentHistoryEntry,
  ContentPage,
  type ContentPageState,
  type ContentReset,
} from '#shared/contract/admin-content.ts'
import { applyOverrides, entryAt, isSame, isWithin, type Override, overridesBetween } from '#shared/rules/overrides.ts'
import { problemsOfTexts } from '#shared/values/written-text.ts'
import { historyOf, versionsOfPages } from './queries.ts'

export const listContentChanges = (ctx: Context): ContentChangesOfPage[] =>
  ContentPage.options.map((page) => changesOf(ctx, page))

function changesOf(ctx: Context, page: ContentPage): ContentChangesOfPage {
  const original = contentOf(ctx).files()[page].value
  const unfit = new Map(
    contentOf(ctx)
      .unfit()
      .flatMap((one) => (one.page === page ? [[one.entry, one.message]] : [])),
  )
  const overrides = overridesOf(ctx, page).map(({ entry, value, updatedAt }) => ({
    entry,
    value,
    updatedAt,
    original: entryAt(original, entry) ?? null,
    problem: unfit.get(entry) ?? null,
  }))
  return { page, version: versionsOfPages(ctx).get(page) ?? 0, overrides }
}

const overridesOf = (ctx: Context, page: ContentPage) => listOverrides(ctx).filter((row) => row.page === page)

/** A page as owners edit it, with placeholders unfilled. Leaves out overrides that don't fit. */
export function readContentPage(ctx: Context, page: ContentPage): ContentPageState {
  const changes = changesOf(ctx, page)
  const fitting = changes.overrides.filter(({ problem }) => problem === null)
  return { ...changes, value: applyOverrides(contentOf(ctx).files()[page].value, fitting) }
}

export const readContentHistory = (ctx: Context, page: ContentPage): ContentHistoryEntry[] =>
  historyOf
    .all(ctx, { page })
    .map(({ actor, name, ...row }) => ({ ...row, by: { kind: kindOf(actor), name: nameOf(actor, name) } }))

const kindOf = (actor: string) =>
  actor.startsWith('user:') ? 'owner' : actor.startsWith('local:') ? 'program' : 'system'
const nameOf = (actor: string, name: string | null) =>
  actor.startsWith('local:') ? actor.slice('local:'.length) : name

/** Sending the same change again after a lost response isn't a conflict. */
export function editContent(
  ctx: Context,
  owner: Owner,
  { page, entry, value, version, isTrial }: ContentEdit & { page: ContentPage },
): ContentPageState {
  const current = readContentPage(ctx, page)
  const wanted = applyOverrides(current.value, [{ entry, value }])
  assertPageFits(ctx, page, wanted)
  if (isTrial) return { ...current, value: wanted }
  const touches = (other: string) => entry !== '' && (isWithin(other, entry) || isWithin(entry, other))
  return storeTexts(ctx, owner, { page, version, wanted, touches, sent: { entry, value, version } })
}

/** Restores the file's own text for an entry and everything within it. */
export function resetContent(
  ctx: Context,
  owner: Owner,
  { page, entry, version }: ContentReset & { page: ContentPage },
): ContentPageState {
  const original = contentOf(ctx).files()[page].value
  const left = overridesOf(ctx, page).filter((override) => !isWithin(override.entry, entry))
  if (entry !== '' && entryAt(original, entry) === undefined && left.length === overridesOf(ctx, page).length) {
    throw notFound('This entry')
  }
  const inner = left.filter((override) => isWithin(entry, override.entry))
  // Takes the reset entry out of a larger override.
  const wanted = applyOverrides(applyOverrides(original, left), [
    ...(inner.length > 0 ? [{ entry, value: entryAt(original, entry) }] : []),
  ])
  assertPageFits(ctx, page, wanted)
  const touches = (other: string) => isWithin(other, entry)
  return storeTexts(ctx, owner, { page, version, wanted, touches, sent: { entry, version } })
}

type Wanted = {
  page: ContentPage
  version: number
  wanted: unknown
  /** Whether the edit changes an entry. Others that don't fit stay. */
  touches: (entry: string) => boolean
  sent: unknown
}

function storeTexts(ctx: Context, owner: Owner, { page, version, wanted, touches, sent }: Wanted): ContentPageState {
  transact(ctx, () => {
    const current = readContentPage(ctx, page)
    const resting = current.overrides.filter(({ entry, problem }) => problem !== null && !touches(entry))
    const before = current.overrides.filter((override) => !resting.includes(override))
    const after = overridesBetween(contentOf(ctx).files()[page].value, wanted)
    const gone = before.filter(({ entry }) => !after.some((one) => one.entry === entry))
    const changed = after.filter(
      (one) => !before.some((row) => row.entry === one.entry && isSame(row.value, one.value)),
    )
    if (gone.length + changed.length === 0) return
    if (version !== current.version) throw versionConflict({ sent, current })
    storeOverrides(ctx, owner.actor, { page, changed, gone: gone.map(({ entry }) => entry) })
  })
  invalidateResponses(ctx)
  return readContentPage(ctx, page)
}

type Changes = { page: ContentPage; changed: readonly Override[]; gone: readonly string[] }

/** Call it in the caller's transaction. */
export function storeOverrides(ctx: Context, actor: string, { page, changed, gone }: Changes): void {
  const at = ctx.now().toISOString()
  for (const entry of gone) {
    ctx.db
      .delete(contentOverrides)
      .where(and(eq(contentOverrides.page, page), eq(contentOverrides.entry, entry)))
      .run()
    insertRow(ctx, contentChanges, { page, entry, value: null, actor, at })
  }
  for (const { entry, value } of changed) {
    upsert(ctx, contentOverrides, { page, entry, value, updatedAt: at })
    insertRow(ctx, contentChanges, { page, entry, value, actor, at })
  }
  const entries = [...gone, ...changed.map(({ entry }) => entry)]
  audit(ctx, actor, 'content.changed', { detail: { page, entries } })
}

/** Why a page can't be saved like this, by entry; empty if it can. */
export function problemsOfPage(ctx: Context, page: ContentPage, wanted: unknown): Record<string, string> {
  const values = page === 'site' ? wanted : placeholderValues(ctx)
  const written = overridesBetween(contentOf(ctx).files()[page].value, wanted)
  const unsafe = written.map(({ entry, value }) => problemsOfTexts(value, entry))
  // Assigning one by one would lose the problem of an entry called `__proto__`.
  return Object.fromEntries([...unsafe, problemsOf(wanted, values, schemaOf(page))].flatMap(Object.entries))
}

/** Refuses texts that don't fit their page, naming each entry, and site values that would break another page. */
export function assertPageFits(ctx: Context, page: ContentPage, wanted: unknown): void {
  const fields = problemsOfPage(ctx, page, wanted)
  if (Object.keys(fields).length > 0) throw new AppError('invalid', 'Check the marked entries.', { fields })
  if (page === 'site') assertOthersFit(ctx, wanted)
}

/** Pages may refer to a site value, such as the second coach's name. */
function assertOthersFit(ctx: Context, wanted: unknown): void {
  const files = contentOf(ctx).files()
  const others = listOverrides(ctx).filter(({ page }) => page !== 'site')
  const site: (Override & { page: string })[] = overridesBetween(files.site.value, wanted).map((one) => ({
    ...one,
    page: 'site',
  }))
  const known = contentOf(ctx).unfit()
  const { unfit } = tryMerge(ctx, [...others, ...site])
  const first = unfit.find(({ page, entry }) => !known.some((one) => one.page === page && one.entry === entry))
  if (first !== undefined) {
    throw new AppError('invalid', `We couldn’t show the page ${first.page}: ${first.message}.`)
  }
}

function tryMerge(ctx: Context, overrides: readonly (Override & { page: string })[]) {
  try {
    return mergeContent(contentOf(ctx).files(), overrides, { ...contentSettingsOf(ctx), hasSamples: true })
  } catch (error) {
    throw new AppError('invalid', `We couldn’t show a page: ${error instanceof Error ? error.message : String(error)}`)
  }
}
