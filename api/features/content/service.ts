import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '#api/context.ts'
import { invalidateResponses } from '#api/http/response-cache.ts'
import { errorMessage } from '#api/log.ts'
import { projectFolder } from '#api/project.ts'
import { withSamplePlaces } from '#data/seed/places.ts'
import { PageName, type PageTexts, pageTextSchemas } from '#shared/contract/page-texts.ts'
import {
  type AllContent,
  type Measuring,
  type OutsideLinks,
  type SiteContent,
  SiteFile,
} from '#shared/contract/site-content.ts'
import { withoutSamples } from '#shared/rules/samples.ts'
import { type ContentSchema, readFile } from './file-service.ts'

const contentFolder = join(projectFolder, 'data/content')

const fileNames = ['site.json', ...PageName.options.map((name) => `pages/${name}.json`)]

/** What the settings add to the files. */
export type ContentSettings = { url: string; links: OutsideLinks; measuring: Measuring; isLive: boolean }

/** Everything that owners edit, read and checked; throws a ContentError naming the first wrong entry. */
export function readContent({ url, links, measuring, isLive }: ContentSettings, folder = contentFolder): AllContent {
  const read = <Content>(name: string, schema: ContentSchema<Content>, values?: unknown) =>
    readFile({ path: `${folder}/${name}`, name: `data/content/${name}`, values }, schema)
  const file = read('site.json', SiteFile)
  const site: SiteContent = { url, ...file, links, measuring, calls: {} }
  const schemas: Record<PageName, ContentSchema<unknown>> = pageTextSchemas
  const texts = PageName.options.map((name) => [name, read(`pages/${name}.json`, schemas[name], file)])
  // The one cast: every name was read by the schema of that name.
  const content: AllContent = { site, pages: Object.fromEntries(texts) as PageTexts }
  return isLive ? withoutSamples(content) : content
}

/** Changes when one of the files has been written. */
const readVersion = (folder = contentFolder): string =>
  fileNames.map((name) => statSync(`${folder}/${name}`, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ')

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
  const { publicUrl: url, measuring, isLive, isSandbox } = ctx.settings
  const links = isSandbox ? withSamplePlaces(ctx.settings.links, url) : ctx.settings.links
  const readAll = () => readContent({ url, links, measuring, isLive }, folder)
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
