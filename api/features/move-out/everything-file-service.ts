import * as v from 'valibot'
import { AppError } from '#api/errors.ts'
import { readJson } from '#api/features/imports/json-service.ts'
import { hasCut } from '#api/features/imports/long-values-rules.ts'
import { openPack, type Pack } from '#api/features/imports/pack-service.ts'

export const exportFormat = 'alliance-everything'

const Manifest = v.object({
  format: v.literal(exportFormat),
  version: v.literal(1),
  madeAt: v.string(),
  counts: v.record(v.string(), v.number()),
})
export type Manifest = v.InferOutput<typeof Manifest>

/** Whose rows are wanted, in order. Each file has one table. */
export type EverythingOptions = { files: string[] }

const Row = v.record(v.string(), v.unknown())
type Row = v.InferOutput<typeof Row>

/** A row of a file; null if it has too much in one place. */
export type EverythingRow = { file: string; row: Row | null }

/** What `export all` of another site wrote, in the process that reads it. `files` are those it has, and `media` its other files' names. */
export async function openEverything(path: string, { files }: EverythingOptions) {
  const pack = await openPack(path)
  const manifest = await readManifest(pack)
  const known = new Set(pack.names)
  const present = files.filter((file) => known.has(jsonOf(file)))
  const media = pack.names.filter((name) => /^(media|question-files)\//.test(name))
  return { manifest, files: present, media, rows: readAll(pack, present) }
}

const jsonOf = (file: string) => `json/${file}.json`

const notOurs = () => new AppError('invalid', 'This file wasn’t made by “alliance export all”.')

async function readManifest(pack: Pack): Promise<Manifest> {
  if (!pack.names.includes('manifest.json')) throw notOurs()
  const text = new TextDecoder().decode((await pack.bytes('manifest.json', 1_000_000)) ?? undefined)
  try {
    return v.parse(Manifest, JSON.parse(text))
  } catch {
    throw notOurs()
  }
}

async function* readAll(pack: Pack, files: readonly string[]): AsyncGenerator<EverythingRow> {
  let before = 0
  for (const file of files) {
    const damaged = `${jsonOf(file)} in this ZIP is cut short or damaged. Export everything again.`
    for await (const { value, line } of readJson(await pack.stream(jsonOf(file)), {
      paths: ['$.*'],
      damaged,
      before,
    })) {
      before = line
      const row = v.safeParse(Row, value)
      if (!row.success)
        throw new AppError('invalid', `${jsonOf(file)} in this ZIP isn’t a list of rows. Export everything again.`)
      yield { file, row: hasCut(row.output) ? null : row.output }
    }
  }
}
