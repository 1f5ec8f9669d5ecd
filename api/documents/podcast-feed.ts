import { episodeAnchor } from '#shared/rules/episode-anchor.ts'
import { splitAddresses } from '#shared/rules/linked-text.ts'
import { escapeHtmlText, escapeXml } from './feeds.ts'

/** `cover` is a path. `email` is empty if it isn't shown. */
export type PodcastChannel = { title: string; description: string; author: string; email: string; cover: string }

export type FeedEpisode = {
  id: string
  title: string
  summary: string
  /** Plain text. */
  notes: string | null
  number: number | null
  /** The audio's path, media type and size. */
  path: string
  type: string
  bytes: number
  /** A path. Null for the show's own picture. */
  picture: string | null
  seconds: number
  isExplicit: boolean
  publishedAt: string
}

/** The UUID namespace for feed addresses, so every directory knows the show (podcastindex.org, `podcast:guid`). */
const podcastNamespace = 'ead4c236-bf58-58c6-a2c6-a6b28d128cb6'

/**
 * The feed directories read: RSS 2.0 with what Apple requires (title, description, picture, language, category, explicit; for
 * episodes title, enclosure and guid), and Podcasting 2.0's guid, locked and medium.
 */
export function podcastFeed(publicUrl: string, channel: PodcastChannel, episodes: readonly FeedEpisode[]): string {
  const address = `${publicUrl}/podcast.xml`
  const { title, description, author, email, cover } = channel
  const owner =
    email === ''
      ? []
      : [
          `<itunes:owner><itunes:name>${escapeXml(author)}</itunes:name><itunes:email>${escapeXml(email)}</itunes:email></itunes:owner>`,
          `<podcast:locked owner="${escapeXml(email)}">yes</podcast:locked>`,
        ]
  const head = [
    `<title>${escapeXml(title)}</title>`,
    `<link>${escapeXml(`${publicUrl}/podcast`)}</link>`,
    `<description>${escapeHtmlText(description)}</description>`,
    '<language>en-gb</language>',
    `<atom:link href="${escapeXml(address)}" rel="self" type="application/rss+xml"/>`,
    `<image><url>${escapeXml(publicUrl + cover)}</url><title>${escapeXml(title)}</title><link>${escapeXml(`${publicUrl}/podcast`)}</link></image>`,
    `<itunes:image href="${escapeXml(publicUrl + cover)}"/>`,
    `<itunes:author>${escapeXml(author)}</itunes:author>`,
    '<itunes:type>episodic</itunes:type>',
    '<itunes:category text="Business"><itunes:category text="Entrepreneurship"/></itunes:category>',
    `<itunes:explicit>${episodes.some(({ isExplicit }) => isExplicit)}</itunes:explicit>`,
    `<podcast:guid>${Bun.randomUUIDv5(address.replace(/^https?:\/\//, ''), podcastNamespace)}</podcast:guid>`,
    '<podcast:medium>podcast</podcast:medium>',
    ...owner,
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0">
<channel>
${head.join('\n')}
${episodes.map((episode) => episodeItem(publicUrl, episode)).join('\n')}
</channel>
</rss>
`
}

function episodeItem(publicUrl: string, episode: FeedEpisode): string {
  const { id, title, summary, notes, number, path, type, bytes, picture, seconds, isExplicit, publishedAt } = episode
  return [
    '<item>',
    `<title>${escapeXml(title)}</title>`,
    `<link>${escapeXml(`${publicUrl}/podcast#${episodeAnchor(path)}`)}</link>`,
    `<guid isPermaLink="false">${escapeXml(id)}</guid>`,
    `<pubDate>${new Date(publishedAt).toUTCString()}</pubDate>`,
    `<description>${escapeHtmlText(summary)}</description>`,
    ...(notes === null ? [] : [`<content:encoded>${escapeXml(notesHtml(notes))}</content:encoded>`]),
    `<enclosure url="${escapeXml(publicUrl + path)}" length="${bytes}" type="${escapeXml(type)}"/>`,
    ...(picture === null ? [] : [`<itunes:image href="${escapeXml(publicUrl + picture)}"/>`]),
    `<itunes:duration>${seconds}</itunes:duration>`,
    `<itunes:explicit>${isExplicit}</itunes:explicit>`,
    '<itunes:episodeType>full</itunes:episodeType>',
    ...(number === null ? [] : [`<itunes:episode>${number}</itunes:episode>`]),
    '</item>',
  ].join('\n')
}

/** Paragraphs and links, because apps show notes as HTML. */
const notesHtml = (notes: string): string =>
  notes
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${linesHtml(paragraph.trim())}</p>`)
    .join('')

const linesHtml = (lines: string): string =>
  splitAddresses(lines)
    .map(({ text, isAddress }) => {
      const escaped = Bun.escapeHTML(text)
      return isAddress ? `<a href="${escaped}">${escaped}</a>` : escaped.replaceAll('\n', '<br>')
    })
    .join('')
