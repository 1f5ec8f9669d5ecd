import type { OutsideLinks } from '#shared/contract/site-content.ts'
import { mediaAddress } from '#shared/values/media.ts'
import { type ClipSeed, publicClips, trainingClips } from './clips.ts'

export type SamplePage = { title: string; lead: string; lines: readonly string[] }

/** The pages below /sandbox/pages/, by the end of their address. Each is used until an owner sets an address. */
export const samplePages: Record<string, SamplePage> = {
  pricing: {
    title: 'Sales Lion prices',
    lead: 'A sample price page. Set the address of your sales platform’s page and it shows here instead.',
    lines: ['The answering service, a month at a time', 'Setup, once', 'Cancel when you like'],
  },
  payment: {
    title: 'Sales Lion payment',
    lead: 'A sample payment page. You can’t pay for anything here.',
    lines: ['What you’re buying', 'What it costs, with VAT', 'A card form, once the real page is here'],
  },
  reminder: {
    title: 'Service reminder',
    lead: 'A sample order page for service reminders. Set its address and the real one shows here instead.',
    lines: ['A reminder to each customer when their service is due', 'A way to book it'],
  },
  websites: {
    title: 'Websites for tradesmen',
    lead: 'A sample website shop. Set the address of your sales platform’s page and it shows here instead.',
    lines: ['A plumber’s site, five pages', 'An electrician’s site, with a gallery', 'A builder’s site, with bookings'],
  },
  community: {
    title: 'The community',
    lead: 'A sample of the members’ community. Set the address of your own and it shows here instead.',
    lines: ['This week’s call: the day and the link', 'Ask before you price it', 'Photos of Friday’s jobs'],
  },
  music: {
    title: 'The podcast in a music app',
    lead: 'A sample of your show’s page in a music app.',
    lines: ['Charging what it costs', 'Home by five', 'The first pair of hands'],
  },
  directory: {
    title: 'The podcast in a directory',
    lead: 'A sample of your show in a podcast directory.',
    lines: ['Charging what it costs', 'Home by five', 'The first pair of hands'],
  },
  facebook: {
    title: 'Our Facebook page',
    lead: 'A sample of your firm’s page.',
    lines: ['Photos, opening hours, messages'],
  },
  instagram: {
    title: 'Our Instagram',
    lead: 'A sample of your firm’s page.',
    lines: ['Before and after, a job a day'],
  },
}

const addressesOf = (clips: readonly ClipSeed[]): string =>
  clips.map(({ id, format, isPublic }) => mediaAddress({ id, format, isPublic })).join(' ')

/** The sandbox’s own pages for addresses that aren’t set, except the calendars. */
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
    transformationVideo: addressesOf(publicClips.home),
    salesDemoVideo: addressesOf(publicClips.demo),
    salesCaseVideo: addressesOf(publicClips.caseStudy),
    salesTrainingVideos: trainingClips.map(addressesOf),
  }
}

/** The addresses owners have set, with the sandbox's own for the empty ones. */
export function withSamplePlaces(links: OutsideLinks, publicUrl: string): OutsideLinks {
  const samples = Object.entries(samplePlaces(publicUrl))
  const set: Record<string, string | readonly string[]> = links
  return { ...links, ...Object.fromEntries(samples.filter(([name]) => (set[name]?.length ?? 0) === 0)) }
}
