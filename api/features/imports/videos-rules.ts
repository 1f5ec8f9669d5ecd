import { Parser } from 'htmlparser2'
import type { VideoType } from '#shared/contract/video.ts'
import { typeOfPasted } from '#shared/values/video-source.ts'
import { sameSite } from './posts/post-rules.ts'

/* Courses as other programs write them, as far as known. It comes from guides, not from Kajabi, so a file's own headings win: a
   field is filled by the first of these names the file has. */

const headingsOf = {
  title: ['title', 'lesson', 'lesson title', 'post title', 'lesson name', 'video', 'name'],
  category: ['category', 'module', 'module title', 'section', 'category title', 'course', 'product'],
  address: ['address', 'url', 'link', 'video url', 'video address', 'video link', 'media url'],
  description: ['description', 'summary', 'subtitle'],
  text: ['text', 'notes', 'body', 'content', 'post body', 'lesson body'],
  order: ['order', 'position', 'number', 'lesson order', 'post position'],
  minutes: ['minutes', 'duration'],
  status: ['status', 'published', 'post status', 'publishing status'],
} as const

type Field = keyof typeof headingsOf
export type VideoColumns = Partial<Record<Field, number>>

const plain = (heading: string) => heading.trim().toLowerCase().replace(/\s+/g, ' ')

export function columnsOfVideos(headings: readonly string[]): { source: string; at: VideoColumns } {
  const known = headings.map(plain)
  const at: VideoColumns = {}
  for (const [field, names] of Object.entries(headingsOf) as [Field, readonly string[]][]) {
    const found = names.map((name) => known.indexOf(name)).find((index) => index >= 0)
    if (found !== undefined) at[field] = found
  }
  const isKajabi = known.includes('product') && known.some((name) => name.startsWith('post '))
  return { source: isKajabi ? 'kajabi' : 'table', at }
}

/** A video in the shape of the owners' own form. */
export type VideoRow = {
  title: string
  category: string
  videoType: VideoType
  videoId: string
  description: string
  notes: string
  isPublished: boolean
  duration: number | null
} & ({ orderIndex: number } | { place: 'end' })

export function readVideo(cells: readonly string[], at: VideoColumns): { row: VideoRow } | { refused: string } {
  const cell = (field: Field) => cells[at[field] ?? -1]?.trim() ?? ''
  const [title, address] = [cell('title'), cell('address')]
  if (title === '') return { refused: 'It has no title.' }
  if (address === '')
    return { refused: `“${title}” has no video address. Download the video there and upload it under Videos.` }
  if (sameSite(address, 'https://kajabi.com'))
    return { refused: `“${title}” only plays at Kajabi. Download the video there and upload it under Videos.` }
  const order = Number.parseInt(cell('order'), 10)
  const minutes = minutesOf(cell('minutes'))
  const row: VideoRow = {
    title,
    category: cell('category') || 'Other',
    videoType: typeOfAddress(address),
    videoId: address,
    description: withoutTags(cell('description')),
    notes: withoutTags(cell('text')),
    isPublished: !/^(draft|unpublished|no|false|0|hidden)$/i.test(cell('status')),
    duration: minutes,
    ...(Number.isNaN(order) ? { place: 'end' } : { orderIndex: Math.max(0, order) }),
  }
  return { row }
}

/** Any other https address is embedded as it is. */
function typeOfAddress(address: string): VideoType {
  const isAddress = /^(https?:)?\/\//i.test(address) || address.includes('<iframe')
  const type = typeOfPasted('wistia', address)
  return type === 'wistia' && isAddress && !/wistia|wi\.st/i.test(address) ? 'embed' : type
}

/** `12`, `12:30` or `1:02:30`, in whole minutes. */
function minutesOf(text: string): number | null {
  const parts = text.split(':').map(Number)
  if (text === '' || parts.some(Number.isNaN)) return null
  const [hours, minutes, seconds] = parts.length === 3 ? parts : parts.length === 2 ? [0, ...parts] : [0, ...parts, 0]
  return Math.round((hours ?? 0) * 60 + (minutes ?? 0) + (seconds ?? 0) / 60)
}

const endsLine = /^(?:br|p|div|li|h\d)$/

/** A video's text has paragraphs, and no HTML. */
function withoutTags(html: string): string {
  let [text, isCode] = ['', false]
  const parser = new Parser({
    onopentagname(name) {
      isCode = name === 'script' || name === 'style'
    },
    ontext(part) {
      if (!isCode) text += part
    },
    onclosetag(name) {
      isCode = false
      if (endsLine.test(name)) text += '\n\n'
    },
  })
  parser.end(html)
  return text
    .replaceAll('\u00a0', ' ')
    .replace(/\n\s*\n\s*/g, '\n\n')
    .trim()
}
