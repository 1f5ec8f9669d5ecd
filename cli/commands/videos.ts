import type { Client } from '#cli/connection.ts'
import { usageError } from '#cli/exit-codes.ts'
import { findEntry } from '#cli/find-entry.ts'
import { emptyLabel, yesNoLabel } from '#cli/labels.ts'
import { tableOutput } from '#cli/output.ts'
import { parseArgument, request, withoutUnset } from '#cli/request.ts'
import { type Call, changeRow, type OptionRow, registersRows, showRow } from '#cli/rows.ts'
import { plannedWriting, shownRows } from '#cli/shown-rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import {
  AdminVideo,
  AdminVideoList,
  VideoChangeRequest,
  VideoRemoved,
  VideoRequest,
} from '#shared/contract/admin-video.ts'

const videosTable: Table<AdminVideo> = {
  title: 'Videos',
  empty: 'No videos yet.',
  columns: [
    { title: 'NAME', text: ({ slug }) => slug, minWidth: 14, identifies: true },
    { title: 'TITLE', text: ({ title }) => title, minWidth: 12, dropOrder: 1 },
    { title: 'CATEGORY', text: ({ category }) => category, minWidth: 8, dropOrder: 3 },
    { title: 'PUBLISHED', text: ({ isPublished }) => yesNoLabel(isPublished) },
    { title: 'TIERS', text: ({ tierAccess }) => tierAccess.join(', '), dropOrder: 2 },
    { title: 'MINUTES', text: ({ duration }) => duration?.toString() ?? emptyLabel, align: 'right', dropOrder: 4 },
  ],
  csv: [
    ...csvFields(['id', 'slug', 'title', 'category', 'orderIndex', 'isPublished', 'videoType', 'videoId', 'duration']),
    { name: 'tierAccess', cell: ({ tierAccess }) => tierAccess.join(' ') },
  ],
}

const readAll = ({ api }: Client) => request(AdminVideoList, api.admin.videos.get())

const list = showRow({
  usage: 'list',
  description: 'List videos by category and order, drafts too',
  options: [['--category <name>', 'only this category']],
  examples: ['list', 'list --category Pricing --csv'],
  read: () => readAll,
  output(videos, call) {
    const category = call.option('category')?.toLowerCase()
    const wanted = videos.filter((video) => category === undefined || video.category.toLowerCase() === category)
    return tableOutput(videosTable, wanted)
  },
})

const videoNamed = (call: Call) => (client: Client) =>
  findEntry<AdminVideo>(client, {
    noun: 'videos',
    given: call.argument(0),
    matches: ({ slug }: AdminVideo, given) => slug === given,
    pages: async () => ({ value: await readAll(client), next: null }),
  })

const rows = shownRows({
  what: 'video',
  argument: 'name',
  example: 'pricing-basics',
  find: videoNamed,
  publish: ({ api }, { id, ...change }) => request(AdminVideo, api.admin.videos({ id }).patch(change)),
  remove: ({ api }, { id, version }) =>
    request(VideoRemoved, api.admin.videos({ id }).delete({}, { query: { version } })),
})

const writing: readonly OptionRow[] = [
  ['--url <address>', 'the address of its page or player, its ID, or its iframe code'],
  ['--type <host>', 'wistia, youtube, streamyard or embed (default: by its address)'],
  ['--category <name>', 'its category'],
  ['--description <text>', 'its description'],
  ['--tiers <tiers>', 'tiers that see it, such as lite,standard,xl (default: all)'],
  ['--minutes <count>', 'its length'],
  ['--order <number>', 'its position in the category, the first is 0 (a new one comes last)'],
]

const hosts = [
  ['youtube', /youtu\.?be/],
  ['wistia', /wistia/],
  ['streamyard', /streamyard/],
] as const

/** The host a pasted address belongs to. */
const typeOf = (url: string) => hosts.find(([, pattern]) => pattern.test(url))?.[0] ?? 'embed'

function fieldsOf({ option }: Call) {
  const [url, minutes, order] = [option('url'), option('minutes'), option('order')]
  return withoutUnset({
    category: option('category'),
    description: option('description'),
    videoId: url,
    videoType: option('type') ?? (url === undefined ? undefined : typeOf(url)),
    tierAccess: option('tiers')?.toLowerCase().split(','),
    duration: minutes === undefined ? undefined : Number(minutes),
    orderIndex: order === undefined ? undefined : Number(order),
  })
}

const written = ({ id, slug, title }: AdminVideo, what: string) => ({
  sentence: `“${title}” is ${what}. Its name is ${slug}.`,
  record: { id, slug, title },
})

const add = changeRow<VideoRequest>({
  usage: 'add <title>',
  description: 'Add a video (members see it once it’s published)',
  options: [...writing, ['--publish', 'publish it straight away']],
  examples: ['add "Pricing basics" --url https://youtu.be/aqz-KE-bpKQ --category Pricing --minutes 12'],
  plan(call) {
    const fields = fieldsOf(call)
    // At 0, the default, it would be every member's next video.
    const place = fields.orderIndex === undefined ? { place: 'end' } : {}
    const given = { title: call.argument(0), ...fields, ...place, isPublished: call.options.publish === true }
    if (given.videoId === undefined) throw usageError('Say where it is: --url <address>.')
    const facts = parseArgument(VideoRequest, given)
    return async () => plannedWriting(facts)
  },
  apply:
    (_call, body) =>
    async ({ api }) => {
      // One idempotency key for each call: a retry after a lost response adds nothing.
      const headers = { 'idempotency-key': Bun.randomUUIDv7() }
      return written(await request(AdminVideo, api.admin.videos.post(body, { headers })), 'added')
    },
})

type VideoChange = { id: string; change: VideoChangeRequest }

const edit = changeRow<VideoChange>({
  usage: 'edit <name>',
  description: 'Edit a video, changing the options you give',
  options: [['--title <title>', 'its title; its name stays'], ...writing],
  examples: ['edit pricing-basics --title "Pricing, the basics" --minutes 14'],
  plan(call) {
    const find = videoNamed(call)
    const fields = withoutUnset({ ...fieldsOf(call), title: call.option('title') })
    if (Object.keys(fields).length === 0) throw usageError('Name what to change: --title, --url or another option.')
    return async (client) => {
      const { id, version } = await find(client)
      return plannedWriting({ id, change: parseArgument(VideoChangeRequest, { ...fields, version }) })
    }
  },
  apply:
    (_call, { id, change }) =>
    async ({ api }) =>
      written(await request(AdminVideo, api.admin.videos({ id }).patch(change)), 'changed'),
})

export const videoRows = [list, add, edit, ...rows]

export const registerVideos = registersRows(videoRows)
