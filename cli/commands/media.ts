import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { linkOutput, print, printOutcome, tableOutput } from '#cli/output.ts'
import { confirm } from '#cli/prompt.ts'
import { request } from '#cli/request.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { MediaFile, MediaFileList, MediaRemoved } from '#shared/contract/media.ts'

export function registerMedia(media: Command, io: Io): void {
  media
    .command('add <file>')
    .description('Store a picture that everybody may see (JPEG, PNG, WebP, SVG), without where it was taken')
    .addHelpText('after', examples('media add dave.jpg', 'media add logo.svg'))
    .action((file: string, _own, command: Command) => addPicture(io, command.optsWithGlobals(), file))
  media
    .command('list')
    .description('List the files of the media store, the newest first')
    .addHelpText('after', examples('media list'))
    .action((_own, command: Command) => listFiles(io, command.optsWithGlobals()))
  media
    .command('remove <id>')
    .description('Remove a file that nothing shows')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', examples('media remove 01a1ff7c-0637-7465-a37d-f10690683bd6'))
    .action((id: string, _own, command: Command) => removeFile(io, command.optsWithGlobals(), id))
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(2)} MB`

const filesTable: Table<MediaFile> = {
  title: 'Media',
  empty: 'There are no files.',
  columns: [
    { title: 'NAME', text: ({ name }) => name, minWidth: 12 },
    { title: 'SIZE', text: ({ bytes }) => megabytes(bytes), align: 'right' },
    { title: 'WHO', text: ({ isPublic }) => (isPublic ? 'everybody' : 'members') },
    { title: 'ADDRESS', text: ({ address }) => address },
  ],
  csv: csvFields(['id', 'name', 'format', 'bytes', 'isPublic', 'address', 'videos', 'createdAt']),
}

async function listFiles(io: Io, options: SharedOptions): Promise<void> {
  const files = await withClient(io, options, ({ api }) => request(MediaFileList, api.admin.media.get()))
  await print(io, options, tableOutput(filesTable, files))
}

async function addPicture(io: Io, options: SharedOptions, file: string): Promise<void> {
  const body = { name: basename(file), content: readBytes(resolve(io.cwd, file)).toString('base64') }
  const stored = await withClient(io, options, ({ api }) => request(MediaFile, api.admin.media.post(body)), {
    mayCreate: true,
  })
  await print(io, options, linkOutput(stored, stored.address, stored))
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    throw usageError(`${path} cannot be read.`)
  }
}

async function removeFile(io: Io, { yes, ...options }: SharedOptions & { yes?: true }, id: string): Promise<void> {
  await confirm(io, `Remove ${id} for good?`, yes === true)
  await withClient(io, options, ({ api }) => request(MediaRemoved, api.admin.media({ id }).delete()))
  await printOutcome(io, options, { record: { id }, sentence: 'The file is removed.' })
}
