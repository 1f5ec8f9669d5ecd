import { sql } from 'drizzle-orm'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { AppError, versionConflict } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import type { VideoCategories, VideoCategoriesRequest } from '#shared/contract/admin-video.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { inCategoryOrder, videoCategories } from '#shared/rules/video.ts'
import { countsOfCategories } from './admin-queries.ts'

const settingKey = 'video_categories'

const Stored = v.object({ names: v.array(v.string()), version: v.number() })

/** In the owners' order, or the nine defaults until they change it. */
function readStored(ctx: Context): v.InferOutput<typeof Stored> {
  const stored = v.safeParse(Stored, readSetting(ctx, settingKey)?.value)
  return stored.success ? stored.output : { names: [...videoCategories], version: 0 }
}

export const categoryOrder = (ctx: Context): readonly string[] => readStored(ctx).names

/** Every category with its number of videos, including drafts. Categories that only videos name come last. */
export function listCategories(ctx: Context): VideoCategories {
  const { names, version } = readStored(ctx)
  const counts = new Map(countsOfCategories.all(ctx).map(({ category, videos }) => [category, videos]))
  const all = [...new Set([...names, ...counts.keys()])].map((category) => ({ category }))
  const ordered = inCategoryOrder(all, names)
  return { categories: ordered.map(({ category }) => ({ name: category, videos: counts.get(category) ?? 0 })), version }
}

/** A category that's there already keeps its own capitals, so that "money" is no second "Money". */
export function asListed(ctx: Context, category: string): string {
  const { categories } = listCategories(ctx)
  return categories.find(({ name }) => name.toLowerCase() === category.toLowerCase())?.name ?? category
}

/** A rename takes its videos along. A category with videos can't be removed. */
export function changeCategories(ctx: Context, owner: Owner, request: VideoCategoriesRequest): VideoCategories {
  const changed = transact(ctx, () => {
    const current = listCategories(ctx)
    if (request.version !== current.version) throw versionConflict({ sent: request, current })
    assertFits(request, current)
    const renamed = request.categories.flatMap(({ was, name }) => (was === null || was === name ? [] : [{ was, name }]))
    renameCategories(ctx, renamed)
    writeSetting(ctx, settingKey, { names: request.categories.map(({ name }) => name), version: current.version + 1 })
    const names = request.categories.map(({ name }) => name)
    audit(ctx, owner.actor, 'video.categories', {
      detail: { names, renamed: renamed.map(({ was, name }) => `${was} → ${name}`) },
    })
    return listCategories(ctx)
  })
  invalidateResponses(ctx, ['pages'])
  return changed
}

function assertFits({ categories }: VideoCategoriesRequest, current: VideoCategories): void {
  const refuse = (message: string) => new AppError('invalid', message, { fields: { categories: message } })
  const names = categories.map(({ name }) => foldText(name))
  const twice = categories.find((_, at) => names.indexOf(names[at] ?? '') !== at)
  if (twice !== undefined) throw refuse(`You’ve got two categories called “${twice.name}”.`)
  const kept = categories.flatMap(({ was }) => was ?? [])
  if (new Set(kept).size !== kept.length) throw refuse('You’ve listed a category twice.')
  const lost = current.categories.find(({ name, videos }) => videos > 0 && !kept.includes(name))
  if (lost !== undefined) {
    const [count, them] = lost.videos === 1 ? ['1 video', 'it'] : [`${lost.videos} videos`, 'them']
    throw refuse(`“${lost.name}” still has ${count}. Move ${them} to another category first.`)
  }
}

/** In one statement, because two categories may swap names. */
function renameCategories(ctx: Context, renamed: readonly { was: string; name: string }[]): void {
  if (renamed.length === 0) return
  const cases = renamed.map(({ was, name }) => sql`when ${was} then ${name}`)
  const { category, version } = memberVideos
  ctx.db
    .update(memberVideos)
    .set({
      category: sql`case ${category} ${sql.join(cases, sql` `)} end`,
      version: sql`${version} + 1`,
      updatedAt: ctx.now().toISOString(),
    })
    .where(sql`${category} in (select value from json_each(${JSON.stringify(renamed.map(({ was }) => was))}))`)
    .run()
}
