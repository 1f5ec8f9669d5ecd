import type { Client } from '#cli/connection.ts'
import { findEntry } from '#cli/find-entry.ts'
import { emptyLabel, yesNoLabel } from '#cli/labels.ts'
import { tableOutput } from '#cli/output.ts'
import { request } from '#cli/request.ts'
import { type Call, registersRows, showRow } from '#cli/rows.ts'
import { shownRows } from '#cli/shown-rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { AdminVideo, AdminVideoList, VideoRemoved } from '#shared/contract/admin-video.ts'

const videosTable: Table<AdminVideo> = {
  title: 'Videos',
  empty: 'There are no videos.',
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
  description: 'List the videos by category and order, drafts too',
  options: [['--category <name>', 'those of one category']],
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
    ...{ noun: 'videos', given: call.argument(0) },
    matches: ({ slug }: AdminVideo, given) => slug === given,
    pages: async () => ({ value: await readAll(client), next: null }),
  })

const rows = shownRows({
  ...{ what: 'video', argument: 'name', example: 'pricing-basics', find: videoNamed },
  publish: ({ api }, { id, ...change }) => request(AdminVideo, api.admin.videos({ id }).patch(change)),
  remove: ({ api }, { id, version }) =>
    request(VideoRemoved, api.admin.videos({ id }).delete({}, { query: { version } })),
})

export const videoRows = [list, ...rows]

export const registerVideos = registersRows(videoRows)
