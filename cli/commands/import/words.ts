import { rmSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import * as v from 'valibot'
import { usageError } from '#cli/exit-codes.ts'
import { packFiles } from '#cli/pack.ts'
import type { Call } from '#cli/rows.ts'
import { ImportOptions } from '#shared/contract/imports.ts'
import { fileImportRow } from './planned.ts'

export const postsRow = fileImportRow({
  kind: 'posts',
  usage: 'posts <file-or-folder>',
  description: 'Move posts in from Ghost, WordPress or a folder of Markdown, with their pictures and old addresses',
  options: [
    ['--site <address>', 'your old site’s address, if the file doesn’t say'],
    ['--images <folder>', 'the old site’s pictures, instead of fetching them from there'],
    ['--redirects <file>', 'Ghost’s redirects.yaml or redirects.json'],
  ],
  examples: [
    'posts ghost.json --site https://example.com --dry-run',
    'posts ghost.json --images ./content/images --redirects redirects.yaml',
    'posts wordpress.xml',
    'posts ./old-blog',
  ],
  read(call) {
    const options = v.safeParse(ImportOptions, { site: call.option('site') ?? null })
    if (!options.success) throw usageError(options.issues[0].message)
    return { options: options.output, file: () => filesOf(call) }
  },
})

/** One file to send: as it is, or a ZIP of all that was named. */
async function filesOf({ io, argument, option }: Call): Promise<{ path: string; remove?: () => void }> {
  const path = resolve(io.cwd, argument(0))
  const [images, redirects] = [option('images'), option('redirects')]
  const packed = await packFiles([
    { path },
    ...(images === undefined ? [] : [{ path: resolve(io.cwd, images) }]),
    ...(redirects === undefined ? [] : [{ path: resolve(io.cwd, redirects), name: `redirects${extname(redirects)}` }]),
  ])
  return packed === null
    ? { path }
    : { path: packed, remove: () => rmSync(dirname(packed), { recursive: true, force: true }) }
}

export const videosRow = fileImportRow({
  kind: 'lessons',
  usage: 'lessons <file>',
  description: 'Move videos in from a CSV: title, category, address, text, order',
  examples: ['lessons videos.csv --dry-run'],
  read: ({ io, argument }) => ({
    options: v.parse(ImportOptions, {}),
    file: () => ({ path: resolve(io.cwd, argument(0)) }),
  }),
})
