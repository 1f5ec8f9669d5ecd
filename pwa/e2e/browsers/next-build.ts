import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as v from 'valibot'
import type { Site } from './fixtures.ts'

const hashed = /-([\w-]{8})\.(js|css)$/
const built = /[\w.-]+-[\w-]{8}\.(?:js|css)\b/g
const reversed = (text: string) => [...text].reverse().join('')

/** The same site as its next build: each built file has another name, the worker is another, and no file of the build before is left. */
function writeNextBuild(folder: string): void {
  mkdirSync(folder)
  for (const name of ['package.json', 'data', 'node_modules']) symlinkSync(resolve(name), join(folder, name))
  for (const name of ['dist/api', 'dist/chunks', 'pwa/public']) cpSync(name, join(folder, name), { recursive: true })
  const site = join(folder, 'pwa/dist')
  cpSync('pwa/dist', site, { recursive: true, filter: (file) => !/\.(br|gz)$/.test(file) })
  const read = (file: string) => readFileSync(join(site, file), 'utf8')
  const ours = new Set(v.parse(v.pipe(v.string(), v.parseJson(), v.array(v.string())), read('chunks.json')))
  const { build } = v.parse(
    v.pipe(v.string(), v.parseJson(), v.object({ build: v.string() })),
    read('server/template.json'),
  )
  const rename = (name: string) => name.replace(hashed, (_all, hash, end) => `-${reversed(hash)}.${end}`)
  for (const name of readdirSync(join(site, 'client/assets'))) {
    const file = join(site, 'client/assets', name)
    if (!ours.has(name)) rmSync(file)
    else renameSync(file, join(site, 'client/assets', rename(name).replace(build, reversed(build))))
  }
  for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|css|json)$/.test(name)) continue
    const text = read(name).replaceAll(build, reversed(build))
    writeFileSync(
      join(site, name),
      text.replace(built, (found) => (ours.has(found) ? rename(found) : found)),
    )
  }
}

/** Puts the next build where the one before was. */
export async function deploy({ server }: Site): Promise<void> {
  const folder = join(server.env.DATA_DIR ?? '', 'next')
  await server.restart(async () => writeNextBuild(folder), folder)
}
