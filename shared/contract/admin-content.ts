import * as v from 'valibot'
import { AuditActor } from './audit.ts'
import { Text } from './fields.ts'
import { pageTextSchemas } from './page-texts.ts'
import { SiteFile } from './site-content.ts'
import { FollowUpsText } from './texts/follow-ups.ts'
import { MailTexts } from './texts/mails.ts'
import { SearchWords } from './texts/search-words.ts'

/** Everything owners write: the site's shared texts, the emails' own, and the pages'. */
export const contentSchemas = {
  site: SiteFile,
  mails: MailTexts,
  'follow-ups': FollowUpsText,
  'search-words': SearchWords,
  ...pageTextSchemas,
}

/** A file of `data/content`. */
export const ContentPage = v.keyof(v.object(contentSchemas), 'There’s no page with this name.')
export type ContentPage = v.InferOutput<typeof ContentPage>

/** The page a content file holds; null for anything else. */
export function contentPageOf(file: string): ContentPage | null {
  const page = /([\w-]+)\.json$/.exec(file)?.[1]
  return v.is(ContentPage, page) ? page : null
}

/** The names that lead to an entry, joined with dots. Empty is the whole page. */
export const EntryName = v.pipe(
  v.string(),
  v.maxLength(200, 'There’s no entry with this name.'),
  v.regex(/^([\w-]+(\.[\w-]+)*)?$/, 'An entry is named with dots, such as hero.lead.'),
)

export const ContentOverride = v.object({
  entry: v.string(),
  value: v.unknown(),
  /** The file's own value; null if it has none. */
  original: v.unknown(),
  /** Why it no longer fits the page, so that we show the file's own; null if it fits. */
  problem: v.nullable(v.string()),
  updatedAt: v.string(),
})
export type ContentOverride = v.InferOutput<typeof ContentOverride>

const version = v.pipe(v.number(), v.integer(), v.minValue(0))

/** A page's changes. `version` goes up with each one; 0 before the first. */
export const ContentChangesOfPage = v.object({ page: ContentPage, version, overrides: v.array(ContentOverride) })
export type ContentChangesOfPage = v.InferOutput<typeof ContentChangesOfPage>
export const ContentChangeList = v.array(ContentChangesOfPage)

export const ContentPageState = v.object({ ...ContentChangesOfPage.entries, value: v.unknown() })
export type ContentPageState = v.InferOutput<typeof ContentPageState>

export const ContentParams = v.object({ page: ContentPage })

/** `value` is the entry's new one, or the page's if no entry is named. With `isTrial` we check it but don't store it. */
export const ContentEdit = v.object({
  version,
  entry: v.optional(EntryName, ''),
  value: v.unknown(),
  isTrial: v.optional(v.boolean(), false),
})
export type ContentEdit = v.InferOutput<typeof ContentEdit>

export const ContentReset = v.object({ version, entry: v.optional(EntryName, '') })
export type ContentReset = v.InferOutput<typeof ContentReset>

/** One change of an entry: its new value, or null if the file's own came back. */
export const ContentHistoryEntry = v.object({
  version: v.number(),
  entry: v.string(),
  value: v.unknown(),
  by: AuditActor,
  at: v.string(),
})
export type ContentHistoryEntry = v.InferOutput<typeof ContentHistoryEntry>
export const ContentHistory = v.array(ContentHistoryEntry)

/** What an owner has written but not published, by entry. */
const Entries = v.pipe(
  v.record(EntryName, v.unknown()),
  v.check((entries) => Object.keys(entries).length <= 500, 'That’s too much for one page.'),
)

export const ContentDraftRequest = v.object({ version, entries: Entries })
export type ContentDraftRequest = v.InferOutput<typeof ContentDraftRequest>

/** An owner's draft of a page; null if they have none. */
export const ContentDraftState = v.object({
  draft: v.nullable(v.object({ version, entries: v.record(v.string(), v.unknown()), updatedAt: v.string() })),
  problems: v.record(v.string(), v.string()),
  /** Entries published since the version the draft started from. */
  changedSince: v.array(v.string()),
  /** The page with the draft, for the editor's iframe; null for content without a page of its own. */
  frame: v.nullable(v.string()),
  /** The same page for anyone who has the address, until it expires. */
  link: v.nullable(v.object({ url: v.string(), until: v.string() })),
})
export type ContentDraftState = v.InferOutput<typeof ContentDraftState>

export const ContentDraftRemoved = v.object({ success: v.literal(true) })

export const ContentDraftList = v.array(v.object({ page: ContentPage, updatedAt: v.string() }))
export type ContentDraftList = v.InferOutput<typeof ContentDraftList>

/** The pages the law requires. If one changes, members get an email that links to it. */
export const legalPages = ['terms', 'privacy', 'cookies', 'cancellation', 'accessibility'] as const
export const LegalPage = v.picklist(legalPages, 'There’s no legal page with this name.')
export type LegalPage = v.InferOutput<typeof LegalPage>
export const LegalPageParams = v.object({ page: LegalPage })

/** What members are told about the change. With `isTrial` we send nothing. */
export const LegalNotice = v.object({ note: Text(2000), isTrial: v.optional(v.boolean(), false) })
export type LegalNotice = v.InferOutput<typeof LegalNotice>

/** How many members we're telling, and in which mailing; null if none goes out. */
export const LegalTold = v.object({ members: v.number(), mailingId: v.nullable(v.string()) })
export type LegalTold = v.InferOutput<typeof LegalTold>
