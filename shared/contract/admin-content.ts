import * as v from 'valibot'
import { AuditActor } from './audit.ts'
import { PageName } from './page-texts.ts'

/** A file of `data/content`: what all pages share, or the texts of one page. */
export const ContentPage = v.picklist(['site', ...PageName.options], 'There is no page with this name.')
export type ContentPage = v.InferOutput<typeof ContentPage>

/** The names that lead to an entry, with dots between them. Empty is the whole page. */
export const EntryName = v.pipe(
  v.string(),
  v.maxLength(200, 'There is no entry with this name.'),
  v.regex(/^([\w-]+(\.[\w-]+)*)?$/, 'An entry is named with dots, such as hero.lead.'),
)

/** What an owner has written in place of an entry of the file. */
export const ContentOverride = v.object({
  entry: v.string(),
  value: v.unknown(),
  /** What the file holds there; null where it holds nothing. */
  original: v.unknown(),
  /** Why it does not fit the page any more, so that the file's own is shown; null where it fits. */
  problem: v.nullable(v.string()),
  updatedAt: v.string(),
})
export type ContentOverride = v.InferOutput<typeof ContentOverride>

const version = v.pipe(v.number(), v.integer(), v.minValue(0))

/** What was changed of a page. `version` grows with every change; 0 where there was none. */
export const ContentChangesOfPage = v.object({ page: ContentPage, version, overrides: v.array(ContentOverride) })
export type ContentChangesOfPage = v.InferOutput<typeof ContentChangesOfPage>
export const ContentChangeList = v.array(ContentChangesOfPage)

/** A page as it is edited: its texts as the file would hold them, with what owners have changed. */
export const ContentPageState = v.object({ ...ContentChangesOfPage.entries, value: v.unknown() })
export type ContentPageState = v.InferOutput<typeof ContentPageState>

export const ContentParams = v.object({ page: ContentPage })

/** `value` is the entry's new one, or the page's where no entry is named. With `isTrial` it is checked and not stored. */
export const ContentEdit = v.object({
  version,
  entry: v.optional(EntryName, ''),
  value: v.unknown(),
  isTrial: v.optional(v.boolean(), false),
})
export type ContentEdit = v.InferOutput<typeof ContentEdit>

/** What owners wrote there is dropped, and the file's own comes back. */
export const ContentReset = v.object({ version, entry: v.optional(EntryName, '') })
export type ContentReset = v.InferOutput<typeof ContentReset>

/** One change of an entry: what stood there from then on, or null where the file's own came back. */
export const ContentHistoryEntry = v.object({
  version: v.number(),
  entry: v.string(),
  value: v.unknown(),
  by: AuditActor,
  at: v.string(),
})
export type ContentHistoryEntry = v.InferOutput<typeof ContentHistoryEntry>
export const ContentHistory = v.array(ContentHistoryEntry)
