import * as v from 'valibot'
import { problemOfText } from '#shared/values/written-text.ts'
import { Id, Instant, RequiredLine, RequiredText } from './fields.ts'
import { listEntries } from './listing.ts'
import { TierSlug } from './tier.ts'

/** Members of these tiers; an empty list means everyone. */
export const Tiers = v.pipe(v.array(TierSlug), v.maxLength(100))

/** The owners' Markdown: paragraphs, headings, lists, bold words and links, never HTML. */
export const WrittenText = (label: string, max: number) =>
  v.pipe(
    RequiredText(label, max),
    v.rawCheck(({ dataset, addIssue }) => {
      const problem = dataset.typed ? problemOfText(dataset.value) : null
      if (problem !== null) addIssue({ message: `${label}: ${problem}.` })
    }),
  )

export const Version = v.pipe(v.number(), v.integer(), v.minValue(1))

const fields = {
  title: RequiredLine('Title', 120),
  text: WrittenText('Text', 3_000),
  tiers: v.optional(Tiers, []),
  /** When members see it. Without a start, straight away. */
  startsAt: v.optional(Instant),
  endsAt: Instant,
}

export const AnnouncementRequest = v.pipe(
  v.object(fields),
  v.forward(
    v.partialCheck(
      [['startsAt'], ['endsAt']],
      ({ startsAt, endsAt }) => startsAt === undefined || Date.parse(startsAt) < Date.parse(endsAt),
      'The end has to be after the start.',
    ),
    ['endsAt'],
  ),
)
export type AnnouncementRequest = v.InferOutput<typeof AnnouncementRequest>

export const AnnouncementChange = v.object({ ...v.partial(v.object(fields)).entries, version: Version })
export type AnnouncementChange = v.InferOutput<typeof AnnouncementChange>

export const announcementStates = ['showing', 'to-come', 'over'] as const

export const AdminAnnouncement = v.object({
  id: v.string(),
  title: v.string(),
  text: v.string(),
  tiers: v.array(TierSlug),
  startsAt: v.string(),
  endsAt: v.string(),
  state: v.picklist(announcementStates),
  /** How many members have dismissed it. */
  dismissed: v.number(),
  version: v.number(),
  updatedAt: v.string(),
})
export type AdminAnnouncement = v.InferOutput<typeof AdminAnnouncement>
export const AdminAnnouncementList = v.array(AdminAnnouncement)

export const AdminAnnouncementQuery = v.object({
  ...listEntries('starts', 'title'),
  show: v.optional(v.picklist(announcementStates, `There are: ${announcementStates.join(', ')}.`)),
})
export type AdminAnnouncementQuery = v.InferOutput<typeof AdminAnnouncementQuery>

export const OutreachParams = v.object({ id: Id })
export const VersionRequest = v.object({ version: Version })
export const VersionQuery = v.object({ version: v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/), v.transform(Number)) })
