import type { OutsideLinks } from '#shared/contract/site-content.ts'
import { mediaAddress } from '#shared/rules/media.ts'
import { type ClipSeed, filmClips, trainingClips } from './clips.ts'

/** What a sample page shows in the place of another site. */
export type SamplePage = { title: string; lead: string; lines: readonly string[] }

/** The pages below /sandbox/pages/, by the end of their address. Each stands where an owner has set no address yet. */
export const samplePages: Record<string, SamplePage> = {
  pricing: {
    title: 'Sales Lion prices',
    lead: 'A sample of a price page. The sales platform’s own page stands here once its address is set.',
    lines: ['The answering service, a month at a time', 'Set-up, once', 'Cancel when you like'],
  },
  payment: {
    title: 'Sales Lion payment',
    lead: 'A sample of a payment page. Nothing can be paid here, and nothing is asked of you.',
    lines: ['What you are buying', 'What it costs, with VAT', 'A card form, once the real page stands here'],
  },
  reminder: {
    title: 'Service reminder',
    lead: 'A sample of an order page for the service reminder. The real one stands here once its address is set.',
    lines: ['A reminder to each customer when the service is due', 'A way to book it'],
  },
  websites: {
    title: 'Websites for tradesmen',
    lead: 'A sample of the shop that sells websites. The sales platform’s own page stands here once its address is set.',
    lines: ['A plumber’s site, five pages', 'An electrician’s site, with a gallery', 'A builder’s site, with bookings'],
  },
  community: {
    title: 'The community',
    lead: 'A sample of the members’ community. Yours is on the site that you choose: set its address, and this goes.',
    lines: ['This week’s call: the day and the link', 'Ask before you price it', 'Photos of Friday’s jobs'],
  },
  music: {
    title: 'The podcast on a music app',
    lead: 'A sample of the show’s page on a music app.',
    lines: ['Charging what it costs', 'Home by five', 'The first pair of hands'],
  },
  directory: {
    title: 'The podcast in a directory',
    lead: 'A sample of the show’s entry in a podcast directory.',
    lines: ['Charging what it costs', 'Home by five', 'The first pair of hands'],
  },
  facebook: {
    title: 'Our Facebook page',
    lead: 'A sample of the firm’s page.',
    lines: ['Photos, opening hours, messages'],
  },
  instagram: { title: 'Our Instagram', lead: 'A sample of the firm’s page.', lines: ['Before and after, a job a day'] },
}

const addressesOf = (clips: readonly ClipSeed[]): string =>
  clips.map(({ id, format, isPublic }) => mediaAddress({ id, format, isPublic })).join(' ')

/** What the sandbox has of its own for the addresses that nobody has set; the calendars are not among them. */
export function samplePlaces(publicUrl: string): Partial<OutsideLinks> {
  const page = (name: string) => `${publicUrl}/sandbox/pages/${name}`
  return {
    community: page('community'),
    podcastMusic: page('music'),
    podcastDirectory: page('directory'),
    facebook: page('facebook'),
    instagram: page('instagram'),
    salesPricing: page('pricing'),
    salesPayment: page('payment'),
    salesReminder: page('reminder'),
    websiteBuilds: page('websites'),
    transformationVideo: addressesOf(filmClips.home),
    salesDemoVideo: addressesOf(filmClips.demo),
    salesCaseVideo: addressesOf(filmClips.caseStudy),
    salesTrainingVideos: trainingClips.map(addressesOf),
  }
}

/** The addresses that owners have set, and the sandbox's own in the place of those that are empty. */
export function withSamplePlaces(links: OutsideLinks, publicUrl: string): OutsideLinks {
  const samples = Object.entries(samplePlaces(publicUrl))
  const set: Record<string, string | readonly string[]> = links
  return { ...links, ...Object.fromEntries(samples.filter(([name]) => (set[name]?.length ?? 0) === 0)) }
}
