import * as v from 'valibot'
import { AuditActor } from './audit.ts'
import { Text } from './fields.ts'
import { pageTextSchemas } from './page-texts.ts'
import { SiteFile } from './site-content.ts'
import { FollowUpsText } from './texts/follow-ups.ts'
import { MailTexts } from './texts/mails.ts'

/** Everything that owners write: what all pages share, what only mails show, and the texts of the pages. */
export const contentSchemas = { site: SiteFile, mails: MailTexts, 'follow-ups': FollowUpsText, ...pageTextSchemas }

/** A file of `data/content`. */
export const ContentPage = v.keyof(v.object(contentSchemas), 'There’s no page with this name.')
export type ContentPage = v.InferOutput<typeof ContentPage>

/** The names that lead to an entry, with dots between them. Empty is the whole page. */
export const EntryName = v.pipe(
  v.string(),
  v.maxLength(200, 'There’s no entry with this name.'),
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

/** By entry, what an owner has written and not published. */
const Entries = v.pipe(
  v.record(EntryName, v.unknown()),
  v.check((entries) => Object.keys(entries).length <= 500, 'That’s too much for one page.'),
)

/** A draft as the browser sends it. `version` is of the page that it was begun from. */
export const ContentDraftRequest = v.object({ version, entries: Entries })
export type ContentDraftRequest = v.InferOutput<typeof ContentDraftRequest>

/** An owner's own draft of a page; none is null. */
export const ContentDraftState = v.object({
  draft: v.nullable(v.object({ version, entries: v.record(v.string(), v.unknown()), updatedAt: v.string() })),
  /** Why it cannot be published yet, by entry. */
  problems: v.record(v.string(), v.string()),
  /** What was published of the page since the version that the draft was begun from. */
  changedSince: v.array(v.string()),
  /** The page with the draft, to be framed by the editor; null for what has no page of its own. */
  frame: v.nullable(v.string()),
  /** The same for somebody who is given the address, until its time is over. */
  link: v.nullable(v.object({ url: v.string(), until: v.string() })),
})
export type ContentDraftState = v.InferOutput<typeof ContentDraftState>

export const ContentDraftRemoved = v.object({ success: v.literal(true) })

/** The pages of which the owner has a draft. */
export const ContentDraftList = v.array(v.object({ page: ContentPage, updatedAt: v.string() }))
export type ContentDraftList = v.InferOutput<typeof ContentDraftList>

/** The pages that the law asks for; who is told of a change reads it there. */
export const legalPages = ['terms', 'privacy', 'cookies', 'cancellation', 'accessibility'] as const
export const LegalPage = v.picklist(legalPages, 'There’s no legal page with this name.')
export type LegalPage = v.InferOutput<typeof LegalPage>
export const LegalPageParams = v.object({ page: LegalPage })

/** What members are told of the change. With `isTrial` nothing is mailed. */
export const LegalTelling = v.object({ note: Text(2000), isTrial: v.optional(v.boolean(), false) })
export type LegalTelling = v.InferOutput<typeof LegalTelling>

/** How many members are told, and by which mailing; null where none goes out. */
export const LegalTold = v.object({ members: v.number(), mailingId: v.nullable(v.string()) })
export type LegalTold = v.InferOutput<typeof LegalTold>
