import * as v from 'valibot'
import { Id, Line, Page } from './fields.ts'
import { type AdoptionNote, type AdoptionRefusal, adoptionNotes, adoptionRefusals } from './subscription-link.ts'
import { TierSlug } from './tier.ts'

/** What can be moved in. `stripe` reads the account at Stripe, the others a file. */
export const importKinds = ['members', 'posts', 'lessons', 'stripe'] as const
export const ImportKindName = v.picklist(importKinds, `Choose one of ${importKinds.join(', ')}.`)
export type ImportKindName = v.InferOutput<typeof ImportKindName>

/**
 * `planning`, `applying` and `undoing` are work in progress, which goes on by itself after a restart. A `planned` import with a
 * `problem` needs other options first.
 */
export const importStates = ['planning', 'planned', 'applying', 'applied', 'undoing', 'undone', 'cancelled'] as const
export type ImportState = (typeof importStates)[number]
export const busyImportStates: readonly ImportState[] = ['planning', 'applying', 'undoing']

/** `existing` is known already and stays as it is, except for a no to emails; `double` repeats an earlier row of the same file. */
export const importOutcomes = ['new', 'existing', 'double', 'refused'] as const
export const ImportOutcome = v.picklist(importOutcomes, `Choose one of ${importOutcomes.join(', ')}.`)
export type ImportOutcome = v.InferOutput<typeof ImportOutcome>

/** The fields a members' file may fill. */
export const memberImportFields = [
  'email',
  'name',
  'firstName',
  'lastName',
  'phone',
  'businessName',
  'trade',
  'joined',
  'paidUntil',
  'complimentary',
  'subscribed',
  'blocked',
  'lessonsDone',
  'plan',
  'note',
] as const
export type MemberImportField = (typeof memberImportFields)[number]

/** People leave out the `https://`. */
const SiteAddress = v.pipe(
  Line(500),
  v.transform((text) => (/^[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/.test(text) ? `https://${text}` : text)),
  v.regex(/^https?:\/\/[^/]/, 'Give your old site’s address, such as https://example.com.'),
)

/** `columns` says which heading fills a field, where the file's own headings don't; an empty heading leaves the field out. */
export const ImportOptions = v.object({
  columns: v.optional(v.record(v.picklist(memberImportFields), Line(200)), {}),
  /** The tier of people who've paid elsewhere until a day, where their plan doesn't say it. */
  tier: v.optional(v.nullable(TierSlug), null),
  keepsNotes: v.optional(v.boolean(), false),
  /** The old site's address, where a posts' file doesn't say it. */
  site: v.optional(v.nullable(SiteAddress), null),
  /** Which tier a price at Stripe is for, by its id, or a file's plan, by its name, where we guess wrong. `none` isn't a membership. */
  tiers: v.optional(v.record(Line(200), v.union([v.literal('none'), TierSlug])), {}),
  /** Of Stripe: gives access to who isn't adopted, until the day they've paid to. */
  freeAccess: v.optional(v.boolean(), false),
  /** Of Stripe: reads with a restricted key, and can't be applied. */
  rehearses: v.optional(v.boolean(), false),
})
export type ImportOptions = v.InferOutput<typeof ImportOptions>
/** Everything by our own guess. */
export const noImportOptions = v.parse(ImportOptions, {})

/** `upload` is a finished upload begun with `isImport`; null where there's no file. */
export const NewImport = v.object({
  kind: ImportKindName,
  upload: v.nullable(Id),
  options: v.optional(ImportOptions, noImportOptions),
})
export type NewImport = v.InferOutput<typeof NewImport>

/** What a plan counts beside the outcomes. Its sentences are in `shared/rules/imports.ts`. */
export const importFacts = [
  'subscribed',
  'not-subscribed',
  'blocked',
  'emails-stopped',
  'free-access',
  'complimentary',
  'expired',
  'days-month-first',
  'days-unread',
  'no-access',
  'cards-dropped',
  'lessons-ticked',
  'lessons-unknown',
  'notes',
  'drafts',
  'pictures',
  'pictures-missing',
  'redirects',
  'redirects-alone',
  'account-known',
  'account-made',
  'tier-missing',
  ...adoptionNotes.map((note): AdoptionFact => `adopts-${note}`),
  ...adoptionRefusals.map((reason): AdoptionFact => `stays-${reason}`),
] as const
export type ImportFact = (typeof importFacts)[number]

/** What's known of a subscription that would be adopted, or why one stays at Stripe. */
type AdoptionFact = `adopts-${AdoptionNote}` | `stays-${AdoptionRefusal}`

/** What a tier was guessed by. One we made the price for isn't a guess. */
export const tierGuesses = ['name', 'amount'] as const
export type TierGuess = (typeof tierGuesses)[number]

/** A plan that a members' file names, and on how many lines. `tier` is as in the options; null if no one knows. */
const ImportPlan = v.object({
  name: v.string(),
  lines: v.number(),
  tier: v.nullable(v.string()),
  guess: v.optional(v.picklist(tierGuesses)),
})
export type ImportPlan = v.InferOutput<typeof ImportPlan>

const BlockSamples = v.object({ count: v.number(), samples: v.array(v.string()) })

/** A column of the file: its first filled-in value, and the field it fills. */
export const ImportColumn = v.object({
  heading: v.string(),
  sample: v.string(),
  field: v.nullable(v.string()),
  /** Of a price at Stripe: what its tier was guessed by, if an owner hasn't chosen it. */
  guess: v.optional(v.picklist(tierGuesses)),
  /** Of a column that blocks addresses: how many it does and doesn't, with three values of each. */
  blocks: v.optional(v.object({ blocked: BlockSamples, others: BlockSamples })),
  /** Of the column that names what people pay for, the most frequent first. */
  plans: v.optional(v.array(ImportPlan)),
})
export type ImportColumn = v.InferOutput<typeof ImportColumn>

export const Import = v.object({
  id: v.string(),
  kind: ImportKindName,
  /** The format, such as `ghost`; empty until the file was looked at. */
  source: v.string(),
  fileName: v.nullable(v.string()),
  state: v.picklist(importStates),
  /** Why it can't be applied as it is. */
  problem: v.nullable(v.string()),
  options: ImportOptions,
  columns: v.array(ImportColumn),
  rows: v.number(),
  counts: v.object({ new: v.number(), existing: v.number(), double: v.number(), refused: v.number() }),
  facts: v.array(v.object({ fact: v.picklist(importFacts), count: v.number() })),
  /** Rows applied so far, those that failed then, and those taken back. */
  done: v.number(),
  failed: v.number(),
  undone: v.number(),
  /** Made by the import and used since, so an undo left them. */
  kept: v.number(),
  /** Of Stripe: those of the rows applied, and of those taken back, that gave free access instead of adopting. */
  freeAccess: v.number(),
  freeUndone: v.number(),
  createdAt: v.string(),
  appliedAt: v.nullable(v.string()),
  undoneAt: v.nullable(v.string()),
})
export type Import = v.InferOutput<typeof Import>
export const ImportList = v.array(Import)

export const ImportParams = v.object({ id: Id })
/**
 * `remarked`: rows we took with a remark on what gets lost. `refused` also has rows that turned out to be impossible once we got to
 * them.
 */
export const ImportRowsQuery = v.object({
  ...Page.entries,
  outcome: v.optional(ImportOutcome),
  remarked: v.optional(v.literal('true')),
})
export type ImportRowsQuery = v.InferOutput<typeof ImportRowsQuery>

/** A row of the file by its line. Nothing personal: `madeId` is our own id. */
export const ImportRow = v.object({
  line: v.number(),
  outcome: ImportOutcome,
  reason: v.nullable(v.string()),
  madeId: v.nullable(v.string()),
  doneAt: v.nullable(v.string()),
})
export type ImportRow = v.InferOutput<typeof ImportRow>
export const ImportRowList = v.array(ImportRow)

/**
 * The welcome letters of a members' import. `arrived` have logged in; `due` are a week past their only letter. `withoutAccess` of
 * those still to be written to would only be asked to join.
 */
export const ImportLetters = v.object({
  people: v.number(),
  unwritten: v.number(),
  written: v.number(),
  bounced: v.number(),
  arrived: v.number(),
  due: v.number(),
  withoutAccess: v.number(),
  subject: v.string(),
  text: v.string(),
})
export type ImportLetters = v.InferOutput<typeof ImportLetters>

/** Sends the next `count` letters, or the second one to people who haven't come a week after the first. */
export const ImportLettersRequest = v.object({
  count: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1, 'Send at least one.'),
    v.maxValue(5000, 'Send up to 5,000 at a time.'),
  ),
  isAgain: v.optional(v.boolean(), false),
})
export type ImportLettersRequest = v.InferOutput<typeof ImportLettersRequest>
export const ImportLettersSent = v.object({ sent: v.number(), letters: ImportLetters })
