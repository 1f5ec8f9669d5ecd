import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { contentChanges, contentOverrides } from '#api/db/schema/content.ts'
import { AppError } from '#api/errors.ts'
import { assertPageFits, readContentPage } from '#api/features/site/content/edit-service.ts'
import { listOverrides } from '#api/site/content-queries.ts'
import { ContentPage } from '#shared/contract/admin-content.ts'
import { applyOverrides, isWithin } from '#shared/rules/overrides.ts'

export const Words = v.object({ page: ContentPage, entry: v.string(), value: v.unknown(), updatedAt: v.string() })
type Words = v.InferOutput<typeof Words>

type TakenWords = { added: number; there: number; problems: string[] }

/** The site's own values come first, because pages name them. Call it in a transaction. */
export function takeWords(ctx: Context, actor: string, given: readonly Words[]): TakenWords {
  const here = new Set(listOverrides(ctx).map(({ page, entry }) => `${page} ${entry}`))
  const fresh = given.filter(({ page, entry }) => !here.has(`${page} ${entry}`))
  const pages = [...new Set(fresh.map(({ page }) => page))].sort((one) => (one === 'site' ? -1 : 1))
  const problems: string[] = []
  for (const page of pages) {
    const { fitting, unfit } = sortOut(
      ctx,
      page,
      fresh.filter((one) => one.page === page),
    )
    for (const { entry, value, updatedAt } of fitting) {
      insertRow(ctx, contentOverrides, { page, entry, value, updatedAt })
      insertRow(ctx, contentChanges, { page, entry, value, actor, at: ctx.now().toISOString() })
    }
    problems.push(...unfit)
  }
  return { added: fresh.length - problems.length, there: given.length - fresh.length, problems }
}

/** Leaves out entries that an owner couldn't have saved here, until the rest of the page fits. */
function sortOut(ctx: Context, page: ContentPage, words: readonly Words[]) {
  const last = new Map(words.map((one) => [one.entry, one]))
  const unfit = words
    .filter((one) => last.get(one.entry) !== one)
    .map(({ entry }) => `${page} ${entry}: It’s there twice.`)
  let fitting = [...last.values()]
  for (let problem = problemOf(ctx, page, fitting); problem !== null; problem = problemOf(ctx, page, fitting)) {
    const { message, fields } = problem
    const wrong = fitting.filter(({ entry }) => entryIn(fields, entry) !== undefined)
    const out = wrong.length > 0 ? wrong : fitting
    unfit.push(...out.map(({ entry }) => `${page} ${entry}: ${fields[entryIn(fields, entry) ?? ''] ?? message}`))
    fitting = fitting.filter((one) => !out.includes(one))
  }
  return { fitting, unfit }
}

const entryIn = (fields: Record<string, string>, entry: string) =>
  Object.keys(fields).find((field) => isWithin(field, entry) || isWithin(entry, field))

function problemOf(ctx: Context, page: ContentPage, words: readonly Words[]) {
  if (words.length === 0) return null
  try {
    assertPageFits(ctx, page, applyOverrides(readContentPage(ctx, page).value, words))
    return null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { message: error.message, fields: error.fields ?? {} }
  }
}
