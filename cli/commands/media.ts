import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { linkOutput, recordSheet, sectionsOutput, tableOutput } from '#cli/output.ts'
import { request } from '#cli/request.ts'
import { changeRow, registersRows, showRow } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { MediaFile, MediaFileList, MediaRemoved } from '#shared/contract/media.ts'

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(2)} MB`

const filesTable: Table<MediaFile> = {
  title: 'Media',
  empty: 'There are no files.',
  columns: [
    { title: 'NAME', text: ({ name }) => name, minWidth: 12 },
    { title: 'SIZE', text: ({ bytes }) => megabytes(bytes), align: 'right' },
    { title: 'WHO', text: ({ isPublic }) => (isPublic ? 'everybody' : 'members') },
    { title: 'USED IN', text: ({ usedIn }) => usedIn.map(({ title }) => title).join(', ') || '-' },
    { title: 'ADDRESS', text: ({ address }) => address },
  ],
  csv: csvFields(['id', 'name', 'format', 'bytes', 'isPublic', 'address', 'videos', 'createdAt']),
}

const list = showRow({
  usage: 'list',
  description: 'List the files of the media store, the newest first',
  examples: ['list', 'list --csv > media.csv'],
  read:
    () =>
    ({ api }) =>
      request(MediaFileList, api.admin.media.get()),
  output: (files) => tableOutput(filesTable, files),
})

const add = changeRow<{ name: string; path: string }>({
  usage: 'add <file>',
  description: 'Store a picture that everybody may see (JPEG, PNG, WebP, SVG), without where it was taken',
  examples: ['add dave.jpg', 'add logo.svg'],
  mayCreate: true,
  plan({ io, argument }) {
    const path = resolve(io.cwd, argument(0))
    const facts = { name: basename(path), path }
    return async () => ({ facts, output: linkOutput(facts, path, facts), question: null })
  },
  apply:
    (_call, { name, path }) =>
    async ({ api }) => {
      const body = { name, content: readBytes(path).toString('base64') }
      const stored = await request(MediaFile, api.admin.media.post(body))
      const { usedIn: _, ...record } = stored
      return linkOutput(stored, stored.address, record)
    },
})

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    throw usageError(`${path} cannot be read.`)
  }
}

const remove = changeRow<Omit<MediaFile, 'usedIn'>>({
  usage: 'remove <id>',
  description: 'Remove a file that nothing shows',
  examples: ['remove 01a1ff7c-0637-7465-a37d-f10690683bd6 --dry-run', 'remove 01a1ff7c-0637-7465-a37d-f10690683bd6'],
  asks: true,
  plan:
    ({ argument }) =>
    async ({ api }) => {
      const found = (await request(MediaFileList, api.admin.media.get())).find(({ id }) => id === argument(0))
      if (found === undefined)
        throw new CliError(exitCodes.notFound, `There is no file ${argument(0)}. See: alliance media list`)
      const { usedIn, ...facts } = found
      const details = [
        { label: 'File', value: facts.name },
        { label: 'Size', value: megabytes(facts.bytes) },
        { label: 'Used in', value: usedIn.map(({ title }) => title).join(', ') || 'nothing' },
        { label: 'Then', value: 'removed for good' },
      ]
      const output = sectionsOutput({ json: facts, csv: () => recordSheet(facts) }, [{ title: 'Plan', details }])
      return { facts, output, question: `Remove ${facts.name} for good?` }
    },
  apply:
    (_call, { id }) =>
    async ({ api }) => {
      await request(MediaRemoved, api.admin.media({ id }).delete())
      return { sentence: 'The file is removed.', record: { id } }
    },
})

export const mediaRows = [list, add, remove]

export const registerMedia = registersRows(mediaRows)
