import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { isSameSecret, keyedHash } from '#api/secrets.ts'
import { contentOf, contentWith, type PageOverride } from '#api/site/content.ts'
import { listOverrides } from '#api/site/content-queries.ts'
import { ContentPage } from '#shared/contract/admin-content.ts'
import { Instant } from '#shared/contract/fields.ts'
import { PageName, pageTextSchemas } from '#shared/contract/page-texts.ts'
import { type AllContent, SiteFile } from '#shared/contract/site-content.ts'
import { fieldOf, textsIn } from '#shared/contract/text-fields.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { applyOverrides, overridesBetween } from '#shared/rules/overrides.ts'
import { withMark } from '#shared/rules/text-marks.ts'
import { draftOf } from './queries.ts'

/** A day for the owner's editor, a week for someone who gets the link. */
const lifetime = { frame: dayMs, link: 7 * dayMs }

const Asked = v.object({ page: ContentPage, userId: v.string(), isFramed: v.boolean(), until: Instant })
type Asked = v.InferOutput<typeof Asked>

type Draft = Pick<Asked, 'page' | 'userId'>

const signatureOf = (ctx: Context, body: string) => keyedHash(ctx, 'content-preview', body)

function signPreview(ctx: Context, asked: Asked): string {
  const body = Buffer.from(JSON.stringify(asked)).toString('base64url')
  return `${body}.${signatureOf(ctx, body)}`
}

/** Site-wide texts are previewed on the front page. */
const pathOf = (page: ContentPage) => (page === 'home' || page === 'site' ? '/' : `/${page}`)

/** False for texts that appear only in mails. */
const hasPath = (page: ContentPage) => page === 'site' || v.is(PageName, page)

/** The path the editor frames. Its time starts on the hour, so that the path stays the same while an owner works. */
export function embedPath(ctx: Context, draft: Draft): string | null {
  if (!hasPath(draft.page)) return null
  const hour = Math.floor(ctx.now().getTime() / 3_600_000) * 3_600_000
  const until = new Date(hour + lifetime.frame).toISOString()
  return `${pathOf(draft.page)}?preview=${signPreview(ctx, { ...draft, isFramed: true, until })}`
}

export function previewLink(ctx: Context, draft: Draft): { url: string; until: string } | null {
  if (!hasPath(draft.page)) return null
  const hour = Math.floor(ctx.now().getTime() / 3_600_000) * 3_600_000
  const until = new Date(hour + lifetime.link).toISOString()
  const url = `${ctx.settings.publicUrl}${pathOf(draft.page)}?preview=${signPreview(ctx, { ...draft, isFramed: false, until })}`
  return { url, until }
}

export type Preview = { content: AllContent; isFramed: boolean }

/** What a signed URL previews; null if the signature is wrong or it has expired. */
export function readPreview(ctx: Context, token: string): Preview | null {
  const [body = '', signature = ''] = token.split('.')
  if (!isSameSecret(signatureOf(ctx, body), signature)) return null
  const asked = v.parse(Asked, JSON.parse(Buffer.from(body, 'base64url').toString()))
  if (Date.parse(asked.until) <= ctx.now().getTime()) return null
  const mark = asked.isFramed ? withMarks(asked.page) : undefined
  return { content: contentWith(ctx, overridesWith(ctx, asked), mark), isFramed: asked.isFramed }
}

const Entries = v.fallback(v.record(v.string(), v.unknown()), {})

function overridesWith(ctx: Context, { page, userId }: Draft): PageOverride[] {
  const stored = listOverrides(ctx)
  const entries = v.parse(Entries, draftOf.get(ctx, { page, userId })?.entries ?? {})
  const file = contentOf(ctx).files()[page].value
  const published = applyOverrides(
    file,
    stored.filter((row) => row.page === page),
  )
  const wanted = applyOverrides(
    published,
    Object.entries(entries).map(([entry, value]) => ({ entry, value })),
  )
  const ofPage = overridesBetween(file, wanted).map((override) => ({ ...override, page }))
  return [...stored.filter((row) => row.page !== page), ...ofPage]
}

/** Appends to each text of this page and the site where it comes from, so that clicking it opens it in the editor. */
const withMarks =
  (page: ContentPage) =>
  (content: AllContent): AllContent => {
    const site = marked(content.site, SiteFile, 'site')
    if (!v.is(PageName, page)) return { ...content, site }
    const text = marked(content.pages[page], pageTextSchemas[page], page)
    return { ...content, site, pages: { ...content.pages, [page]: text } }
  }

/** A list is one entry in the content, but here each of its texts gets its own path. */
function marked<Value>(value: Value, schema: v.GenericSchema, page: ContentPage): Value {
  const texts = new Map(textsIn(fieldOf(schema), value))
  const markBelow = (part: unknown, entry: string): unknown => {
    const text = texts.get(entry)
    // Empty texts are left off the page.
    if (text && typeof part === 'string') return withMark(part, `${page}:${entry}`)
    const below = (name: string | number) => (entry === '' ? String(name) : `${entry}.${name}`)
    if (Array.isArray(part)) return part.map((item, at) => markBelow(item, below(at)))
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, markBelow(one, below(name))]))
  }
  // Safe cast: only strings changed, to strings.
  return markBelow(value, '') as Value
}
