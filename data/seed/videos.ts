import type { TierSlug } from '#shared/contract/tier.ts'
import type { VideoType } from '#shared/contract/video.ts'
import { slugOf } from '#shared/values/posts.ts'

export type VideoSeed = {
  slug: string
  title: string
  description: string
  category: string
  videoType: VideoType
  videoId: string
  embedUrl: string | null
  orderIndex: number
  isPublished: boolean
  tierAccess: TierSlug[]
  duration: number | null
}

type Line = readonly [title: string, description: string, minutes: number | null, extra?: Partial<VideoSeed>]

const standardAndXl: TierSlug[] = ['standard', 'xl']
const xlOnly: TierSlug[] = ['xl']
const youtube = (videoId: string) => ({ videoType: 'youtube', videoId }) as const
const streamyard = (videoId: string) => ({ videoType: 'streamyard', videoId }) as const
const embed = (embedUrl: string) => ({ videoType: 'embed', videoId: embedUrl, embedUrl }) as const

const lines: Record<string, readonly Line[]> = {
  Strategy: [
    ['Where the business is now', 'An honest hour with last year’s figures, and what they say.', 8],
    ['The year on one page', 'What you want by next Christmas, worked back to this Monday.', 9],
    [
      'Choosing the work you want',
      'Which jobs pay, which only keep you busy, and how to tell.',
      6,
      youtube('aqz-KE-bpKQ'),
    ],
    ['Saying no and keeping the customer', 'Turning down the wrong job without losing the next right one.', 8],
    ['Your three-year plan', 'Van, team, turnover: where this is going.', 14, { tierAccess: standardAndXl }],
  ],
  Money: [
    ['What an hour really costs you', 'Van, tools, insurance, holidays: the true cost of an hour on the tools.', 12],
    ['Pricing a day, pricing a job', 'Two ways to price, and when each one loses you money.', 11],
    ['Deposits and stage payments', 'Getting paid as you go, in words customers accept.', 9],
    ['Chasing a late invoice', 'Four messages, in order, that get you paid.', 6, youtube('ScMzIvxBSi4')],
    ['VAT without the panic', 'What to put by, and when.', 10],
    [
      'Paying yourself first',
      'A wage, a profit, a tax pot: three accounts and a standing order.',
      null,
      { tierAccess: standardAndXl },
    ],
  ],
  Time: [
    ['The week on one page', 'Jobs, quotes, paperwork and your tea, each in its place.', 7],
    ['The end of quoting at night', 'A quote on the drive home: the five-line template.', 8],
    ['Boundaries with customers', 'When you answer, when you don’t, and how to say so.', 7],
    ['Two weeks off, phone off', 'What has to be true before you can.', 13, { tierAccess: standardAndXl }],
  ],
  Marketing: [
    ['The five photos of every job', 'Before, during, after, the detail, the handshake.', 5],
    ['Reviews that write themselves', 'Asking at the right minute, with the link ready.', 6, streamyard('k7m2reviews')],
    ['Your patch, and how to own it', 'Six streets beat sixty square miles.', 8],
    ['A website that rings', 'What has to be on it, and what doesn’t.', null],
    ['Autumn campaign workshop', 'Recorded live with the XL group.', 52, { tierAccess: xlOnly }],
  ],
  Sales: [
    ['The site visit that sells', 'What to ask before you measure anything.', 9],
    ['Three options, one quote', 'Good, better, best: let the customer choose.', 8],
    ['“You are more expensive”', 'What it means, and four answers that hold.', 7],
    ['Following up without begging', 'Two days, a week, a month.', 6, youtube('LXb3EKWsInQ')],
  ],
  Service: [
    ['The handover that brings work', 'Ten minutes at the end, worth a year of adverts.', 5],
    ['When a job goes wrong', 'First call, first hour, first offer.', 6],
    ['Service plans that people keep', 'Steady money from boilers you fitted.', 11, { tierAccess: standardAndXl }],
  ],
  'Systems & Automations': [
    ['From enquiry to invoice', 'The whole run, with nothing kept in your head.', 9],
    [
      'Automatic reminders',
      'The messages you should never type twice.',
      7,
      embed('https://player.alliance.test/reminders'),
    ],
    ['Your quote templates', 'Built once, right every time.', 10, { tierAccess: standardAndXl }],
    ['Job software, compared', 'Still being filmed.', 12, { isPublished: false }],
  ],
  Team: [
    ['Your first lad', 'When you can afford him, and what he does on day one.', 9],
    ['Toolbox talks that work', 'Ten minutes on a Monday.', 0.75],
    [
      'Handing over a job whole',
      'Delegation for people who’d rather do it themselves.',
      12,
      { tierAccess: standardAndXl },
    ],
    ['Interview questions for trades', 'Still being filmed.', 8, { isPublished: false }],
  ],
  Leadership: [
    ['The van sets the tone', 'What your team copies, whether you like it or not.', 5],
    ['Hard conversations', 'Late, sloppy, rude: what to say, and when.', 10, { tierAccess: standardAndXl }],
    ['Owner, not operator', 'Letting go of the tools without letting go of the standard.', 18, { tierAccess: xlOnly }],
  ],
  'Guest evenings': [
    ['An accountant answers', 'An hour of questions from members.', 48, { tierAccess: standardAndXl }],
  ],
}

/** About 40 videos in the nine categories and one more: all four players, mixed tiers, two drafts, with and without a length. */
export const videoSeeds: VideoSeed[] = Object.entries(lines).flatMap(([category, own]) =>
  own.map(([title, description, duration, extra], orderIndex) => ({
    slug: slugOf(title),
    title,
    description,
    category,
    videoType: 'wistia' as const,
    videoId: `al${title
      .toLowerCase()
      .replace(/[^a-z]/g, '')
      .slice(0, 8)}`,
    embedUrl: null,
    orderIndex,
    isPublished: true,
    tierAccess: ['lite', 'standard', 'xl'],
    duration,
    ...extra,
  })),
)
