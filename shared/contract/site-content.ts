import * as v from 'valibot'
import { problemOfAccent, problemOfLink } from '#shared/values/brand-colours.ts'
import { pictureAddress } from '#shared/values/media.ts'
import type { CallKind } from './call-kind.ts'
import { CoachId } from './call-slot.ts'
import type { PageTexts } from './page-texts.ts'
import type { FollowUpsText } from './texts/follow-ups.ts'
import type { WeekDay } from './texts/home.ts'
import type { MailTexts } from './texts/mails.ts'
import { Claims, Copy, SitePath } from './texts/parts.ts'
import type { SearchWords } from './texts/search-words.ts'

export const shippedLogo = '/icons/icon.svg'

/** The drawings a photograph can replace. A coach's picture is part of the coach. */
export const drawingNames = [
  ...['founder', 'podcast', 'sales-lion', 'servicem8', 'transformation', 'video-case', 'video-demo', 'website'],
  ...['quote-1', 'quote-2', 'quote-3', 'quote-4', 'quote-5', 'quote-6'],
] as const

const StoredPicture = v.pipe(
  v.string(),
  v.regex(pictureAddress, 'must be a picture from the library. "alliance media add" prints its address'),
  v.metadata({ field: 'picture' }),
)

/** A photograph that replaces a drawing. Its `alt` says what it shows, for people who can't see it. */
export const Photograph = v.strictObject({ image: StoredPicture, alt: Copy })
export type Photograph = v.InferOutput<typeof Photograph>

const ShortCopy = v.pipe(Copy, v.maxLength(40, 'can have up to 40 characters'))

export const CoachContact = v.strictObject({
  /** The calendar's id for the coach. It stays when the name changes. */
  id: CoachId,
  /** Came with the software: nobody answers this contact, so the server won't start with a live key. */
  isSample: v.optional(v.boolean()),
  name: Copy,
  /** The trade they came from, and their town. Home and About introduce the coaches who have either. */
  trade: v.optional(ShortCopy),
  town: v.optional(ShortCopy),
  chat: v.pipe(v.string(), v.url(), v.startsWith('https://', 'must start with https://')),
  email: v.pipe(v.string(), v.email()),
  photograph: v.optional(Photograph),
})
export type CoachContact = v.InferOutput<typeof CoachContact>

/** The prices the marketing pages state, as text only. We charge the tier's own price. */
const PriceTexts = v.strictObject({
  lowest: Copy,
  mastermind: Copy,
  guarantee: Copy,
  terms: Copy,
  notice: Copy,
  programme: Copy,
  programmeInstalments: Copy,
})

export const NavigationLink = v.strictObject({ label: Copy, path: SitePath })
export type NavigationLink = v.InferOutput<typeof NavigationLink>

export const NavigationEntry = v.union(
  [NavigationLink, v.strictObject({ label: Copy, items: v.array(NavigationLink) })],
  'needs a label and a path, or a label and items',
)
export type NavigationEntry = v.InferOutput<typeof NavigationEntry>

const Colour = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.regex(/^#[0-9a-f]{6}$/, 'must be a colour such as #ffdc00'),
  v.metadata({ field: 'colour' }),
)

const readableColour = (problemOf: (colour: string) => string | null) =>
  v.pipe(
    Colour,
    v.check(
      (colour) => !/^#[0-9a-f]{6}$/.test(colour) || problemOf(colour) === null,
      ({ input }) => problemOf(input) ?? '',
    ),
  )

/** Shown if it's set. */
const MaybeCopy = v.union([v.literal(''), Copy], 'must be plain text, or empty')

const Brand = v.strictObject({
  name: Copy,
  /** Under the app's icon, and where the whole name is too long. */
  shortName: v.pipe(Copy, v.maxLength(20, 'can have up to 20 characters')),
  /** A picture from the media store; `shippedLogo`; or empty, for the short name's initials. */
  logo: v.union([v.literal(''), v.literal(shippedLogo), StoredPicture], 'must be a picture from the library, or empty'),
  /** The accent, and the colour of links and focus. We check that both are readable by day and by night. */
  colours: v.strictObject({ accent: readableColour(problemOfAccent), link: readableColour(problemOfLink) }),
  tagline: Copy,
  trades: Copy,
  copyright: Copy,
  founded: v.pipe(v.number(), v.integer()),
  phone: v.union(
    [v.literal(''), v.pipe(v.string(), v.trim(), v.regex(/^\+?[\d ()-]{6,24}$/))],
    'must be a phone number',
  ),
  /** Where to message the firm, such as https://wa.me/44… */
  messenger: v.union(
    [v.literal(''), v.pipe(v.string(), v.url(), v.startsWith('https://'))],
    'must be an address starting with https://',
  ),
  email: v.union([v.literal(''), v.pipe(v.string(), v.email())], 'must be an email address'),
  openingHours: MaybeCopy,
})
export type Brand = v.InferOutput<typeof Brand>

export const SiteFile = v.strictObject({
  brand: Brand,
  coaches: v.pipe(
    v.array(CoachContact),
    v.check((coaches) => new Set(coaches.map(({ id }) => id)).size === coaches.length, 'two coaches have the same id'),
  ),
  /** Photographs instead of drawings, by the drawing's name. */
  photographs: v.partial(v.strictObject(v.entriesFromList(drawingNames, Photograph))),
  claims: Claims,
  prices: PriceTexts,
  mastermind: v.strictObject({ name: Copy, badge: Copy, text: Copy }),
  navigation: v.array(NavigationEntry),
  quickLinks: v.array(NavigationLink),
})

/** Addresses of other people's sites; an empty one isn't configured. */
export type OutsideLinks = {
  booking: string
  /** A calendar for each coach, in the order of `coaches`. */
  coachCalls: readonly string[]
  catchUps: readonly string[]
  community: string
  podcastPlayer: string
  podcastMusic: string
  podcastDirectory: string
  facebook: string
  instagram: string
  transformationVideo: string
  websiteBuilds: string
  salesCall: string
  salesPricing: string
  salesPayment: string
  salesReminder: string
  salesDemoVideo: string
  salesCaseVideo: string
  salesTrainingVideos: readonly string[]
}

/** Addresses of other companies' scripts that count visits and measure adverts; an empty one isn't configured. */
export type Measuring = { analytics: string; pixel: string }

export type SiteContent = v.InferOutput<typeof SiteFile> & {
  /** Names the brand's look, in addresses of files made from it; empty for the shipped look. */
  look: string
  /** This site's address, without a trailing slash. */
  url: string
  /** Who the firm is, as far as it's filled in: company, number, registered office, VAT number. */
  disclosure: string
  /** The name of the current terms, such as 2026-11-21-3f9a60c1d2e4b587. */
  terms: string
  links: OutsideLinks
  /** The weekly call's day, as Home names it. Every other page and email reads it from here. */
  callDay: WeekDay
  measuring: Measuring
  /** Consumers may join too, so we tell them of their right to cancel before they pay; absent if they may not. */
  sellsToConsumers?: true
  /** The ids of the coaches with bookable calls of each kind in our own calendar. */
  calls: Partial<Record<CallKind, readonly string[]>>
}

/** Everything owners edit. `GET /api/site-content` responds with what visitors read; `?page=about` with only that page's texts. */
export type AllContent = {
  site: SiteContent
  pages: PageTexts
  mails: MailTexts
  followUps: FollowUpsText
  searchWords: SearchWords
}

export const BrandFileParams = v.object({ file: v.pipe(v.string(), v.maxLength(64)) })
/** `look` is the one of the page that links to the file. */
export const BrandFileQuery = v.object({ look: v.optional(v.pipe(v.string(), v.maxLength(64))) })
