import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Client } from '#cli/connection.ts'
import { usageError } from '#cli/exit-codes.ts'
import { findEntry } from '#cli/find-entry.ts'
import { machineActRow } from '#cli/machine-rows.ts'
import { readNamed } from '#cli/named-file.ts'
import { linkOutput, recordOutput } from '#cli/output.ts'
import { reportRows } from '#cli/progress.ts'
import { parseArgument, request, requestPage, withoutUnset } from '#cli/request.ts'
import { actRow, changeRow, listRow, registersRows } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { AdminMediaQuery, MediaFile, MediaFileList, MediaRemoved } from '#shared/contract/media.ts'
import { plural } from '#shared/rules/plural.ts'
import { mediaKinds } from '#shared/values/media.ts'

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(2)} MB`

const filesTable: Table<MediaFile> = {
  title: 'Media',
  empty: 'No files yet.',
  columns: [
    { title: 'NAME', text: ({ name }) => name, minWidth: 12, identifies: true },
    { title: 'SIZE', text: ({ bytes }) => megabytes(bytes), align: 'right' },
    { title: 'WHO', text: ({ isPublic }) => (isPublic ? 'everybody' : 'members') },
    { title: 'ADDRESS', text: ({ address }) => address },
    // Last, because a picture on many pages would push what's beside it off the screen.
    { title: 'USED IN', text: ({ usedIn }) => usedIn.map(({ title }) => title).join(', ') || '-', minWidth: 12 },
  ],
  csv: csvFields(['id', 'name', 'format', 'bytes', 'isPublic', 'address', 'videos', 'createdAt']),
}

const pagesOf = ({ api }: Client, query: AdminMediaQuery) => requestPage(MediaFileList, api.admin.media.get({ query }))

const list = listRow({
  usage: 'list',
  description: 'List media files, newest first',
  options: [
    ['--kind <kind>', `only ${mediaKinds.slice(0, -1).join(', ')} or ${mediaKinds.at(-1)}`],
    ['--unused', 'only unused ones'],
    ['--search <words>', 'with these words in the name'],
  ],
  examples: ['list', 'list --unused', 'list --csv > media.csv'],
  table: filesTable,
  pages(call) {
    const use = call.options.unused ? 'unused' : undefined
    const given = withoutUnset({ q: call.option('search'), kind: call.option('kind'), use })
    const query = parseArgument(AdminMediaQuery, given)
    return (client, page) => pagesOf(client, { ...query, ...page })
  },
})

const add = actRow({
  usage: 'add <file>',
  description: 'Add a public picture (JPEG, PNG, WebP, SVG), with its location data removed',
  examples: ['add dave.jpg', 'add logo.svg'],
  mayCreate: true,
  act({ io, argument }) {
    const path = resolve(io.cwd, argument(0))
    const body = { name: basename(path), content: readPicture(path).toString('base64') }
    return async ({ api }) => {
      const stored = await request(MediaFile, api.admin.media.post(body))
      const { usedIn: _, ...record } = stored
      return linkOutput(stored, stored.address, record)
    }
  },
})

/** Sent as base64 in one request, which may have 20 MB. */
const maxSentBytes = 15_000_000

function readPicture(path: string): Buffer {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (bytes <= maxSentBytes) return readNamed(path)
  throw usageError(
    `${path} has ${megabytes(bytes)}. From here a file can have up to ${maxSentBytes / 1_000_000} MB. ` +
      'Upload films and larger pictures in /admin, under Site, Media.',
  )
}

const fileNamed = (client: Client, given: string) =>
  findEntry<MediaFile>(client, {
    noun: 'media',
    given,
    matches: ({ id, name }, wanted) => id === wanted || name.toLowerCase() === wanted,
    // Looks among all files, because sample clips' ids look different.
    pages: (from, { q: _, ...query }) => pagesOf(from, query),
  })

const remove = changeRow<Omit<MediaFile, 'usedIn'>>({
  usage: 'remove <id-or-name>',
  description: 'Delete an unused file',
  examples: ['remove prices.pdf --dry-run', 'remove 01a1ff7c-0637-7465-a37d-f10690683bd6'],
  asks: true,
  plan:
    ({ argument }) =>
    async (client) => {
      const { usedIn, ...facts } = await fileNamed(client, argument(0))
      const details = [
        { label: 'File', value: facts.name },
        { label: 'Size', value: megabytes(facts.bytes) },
        { label: 'Used in', value: usedIn.map(({ title }) => title).join(', ') || 'nothing' },
        { label: 'Then', value: 'removed for good' },
      ]
      const output = recordOutput('Plan', details, facts)
      return { facts, output, question: `Remove ${facts.name} for good?` }
    },
  apply:
    (_call, { id }) =>
    async ({ api }) => {
      await request(MediaRemoved, api.admin.media({ id }).delete())
      return { sentence: 'File deleted.', record: { id } }
    },
})

const places = ['store', 'disk'] as const

const move = machineActRow({
  usage: 'move <place>',
  description: 'Move films and sounds to the store of MEDIA_URL, or back to the disk (the server can keep running)',
  examples: ['move store', 'move disk'],
  async act({ io, options, argument }) {
    const to = places.find((place) => place === argument(0))
    if (to === undefined) throw usageError('Say where to: store or disk.')
    const { moveMedia } = await import('#cli/machine/media-move.ts')
    const progress = reportRows(io, options)
    const { moved, bytes, left } = await moveMedia(io, to, (all) => progress.add(1, all)).finally(progress.end)
    const record = { moved, bytes, left: left.length }
    const sentence = `Moved ${plural(moved, 'file')}, ${megabytes(bytes)}.`
    return { sentence, record, notes: left.map((reason) => `Left: ${reason}`) }
  },
})

export const mediaRows = [list, add, remove, move]

export const registerMedia = registersRows(mediaRows)
