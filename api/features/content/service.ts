import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import type { Context } from '#api/context.ts'
import { writeIfPossible } from '#api/db/busy.ts'
import { invalidateResponses } from '#api/http/response-cache.ts'
import { errorMessage } from '#api/log.ts'
import { withoutSampleSeller } from '#api/settings.ts'
import { withSamplePlaces } from '#data/seed/places.ts'
import { PageName, type PageTexts, pageTextSchemas } from '#shared/contract/page-texts.ts'
import {
  type AllContent,
  type Measuring,
  type OutsideLinks,
  type SiteContent,
  SiteFile,
} from '#shared/contract/site-content.ts'
import type { LegalText } from '#shared/contract/texts/legal.ts'
import { disclosureOf, firmOf, firmValues, type Seller } from '#shared/rules/firm.ts'
import { withoutSamples } from '#shared/rules/samples.ts'
import { type ContentSchema, contentFiles, contentFolder, readFile } from './file-service.ts'
import { recordTerms } from './terms-queries.ts'

/** What the settings add to the files. */
export type ContentSettings = {
  url: string
  links: OutsideLinks
  measuring: Measuring
  seller: Seller
  isLive: boolean
}

/** Everything that owners edit, read and checked; throws a ContentError naming the first wrong entry. */
export function readContent(
  { url, links, measuring, seller, isLive }: ContentSettings,
  folder = contentFolder,
): AllContent {
  const read = <Content>(name: string, schema: ContentSchema<Content>, values?: unknown) =>
    readFile({ path: `${folder}/${name}`, name: `data/content/${name}`, values }, schema)
  const { firm: particulars, ...file } = read('site.json', SiteFile)
  const firm = firmOf(particulars, withoutSampleSeller(seller))
  const values = { ...file, firm: firmValues(firm) }
  const schemas: Record<PageName, ContentSchema<unknown>> = pageTextSchemas
  const texts = PageName.options.map((name) => [name, read(`pages/${name}.json`, schemas[name], values)])
  // The one cast: every name was read by the schema of that name.
  const pages = Object.fromEntries(texts) as PageTexts
  const terms = versionOf(pages.terms)
  const site: SiteContent = { url, ...file, links, measuring, calls: {}, disclosure: disclosureOf(firm), terms }
  const content: AllContent = { site, pages }
  return isLive ? withoutSamples(content) : content
}

/** The day that stands above them, and a hash of every word: a day alone would not name one wording. */
const versionOf = (terms: LegalText): string =>
  `${terms.updated}-${createHash('sha256').update(JSON.stringify(terms)).digest('hex').slice(0, 16)}`

/** Changes when one of the files has been written. */
const readVersion = (folder = contentFolder): string =>
  contentFiles.map((name) => statSync(`${folder}/${name}`, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ')

/** The current content. `version` changes when owners have edited a file. */
export type ContentStore = { version: () => number; read: () => AllContent }

type Options = {
  folder?: string
  /** How long a look at the files is good for, ms. */
  everyMs?: number
}

const opened = new WeakMap<Context, ContentStore>()

/** The content store of this context, opened on first use. */
export function contentOf(ctx: Context, options?: Options): ContentStore {
  const store = opened.get(ctx) ?? openContent(ctx, options)
  opened.set(ctx, store)
  return store
}

/**
 * Reads everything at once, and again when a file has changed. Throws a ContentError when the first reading fails; later a
 * wrong file is logged, and the last good content keeps serving.
 */
export function openContent(ctx: Context, { folder, everyMs = 1_000 }: Options = {}): ContentStore {
  const { publicUrl: url, ...settings } = ctx.settings
  const links = settings.isSandbox ? withSamplePlaces(settings.links, url) : settings.links
  const readAll = () => readContent({ ...settings, url, links }, folder)
  let filesVersion = readVersion(folder)
  let content = readAll()
  let version = 1
  let checkedAt = performance.now()

  const refresh = () => {
    if (performance.now() - checkedAt < everyMs) return
    checkedAt = performance.now()
    const current = readVersion(folder)
    if (current === filesVersion) return
    filesVersion = current
    try {
      content = readAll()
      writeIfPossible(ctx, () => recordTerms(ctx, content))
      version += 1
      invalidateResponses(ctx)
    } catch (error) {
      ctx.log.error('content was not taken over', { reason: errorMessage(error) })
    }
  }

  return {
    version: () => {
      refresh()
      return version
    },
    read: () => {
      refresh()
      return content
    },
  }
}
