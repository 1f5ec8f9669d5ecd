import { statSync } from 'node:fs'
import type { Context } from '#api/context.ts'
import { writeIfPossible } from '#api/db/busy.ts'
import { errorMessage } from '#api/log.ts'
import { cacheVersion, invalidateResponses } from '#api/serving/kept-answers.ts'
import type { Settings } from '#api/settings.ts'
import { listOverrides, recordTerms, termsByVersion } from '#api/site/content-queries.ts'
import { withSamplePlaces } from '#data/seed/places.ts'
import { ContentPage, contentSchemas } from '#shared/contract/admin-content.ts'
import { PageName, type PageTexts } from '#shared/contract/page-texts.ts'
import {
  type AllContent,
  type Measuring,
  type OutsideLinks,
  type SiteContent,
  SiteFile,
} from '#shared/contract/site-content.ts'
import { FollowUpsText } from '#shared/contract/texts/follow-ups.ts'
import type { LegalText } from '#shared/contract/texts/legal.ts'
import { MailTexts } from '#shared/contract/texts/mails.ts'
import { SearchWords } from '#shared/contract/texts/search-words.ts'
import { disclosureOf, type Firm, firmValues } from '#shared/rules/firm.ts'
import type { Override } from '#shared/rules/overrides.ts'
import { withoutSamples, withProvenReviews } from '#shared/rules/samples.ts'
import {
  type ContentFile,
  type ContentSchema,
  contentFolder,
  mergeFile,
  readFile,
  type Unfit,
} from './content-files.ts'
import { lookOf } from './look.ts'
import { type SiteSettings, settingsOfEnvironment, siteSettings } from './settings.ts'

export const fileNameOf = (page: ContentPage) =>
  page === 'site' || page === 'mails' ? `${page}.json` : `pages/${page}.json`

export type ContentFiles = Record<ContentPage, ContentFile>

export function readFiles(folder = contentFolder): ContentFiles {
  const read = (page: ContentPage) => {
    const name = fileNameOf(page)
    return [page, readFile(`${folder}/${name}`, `data/content/${name}`)] as const
  }
  // Safe cast: the list has every page.
  return Object.fromEntries(ContentPage.options.map(read)) as ContentFiles
}

export type ContentSettings = {
  url: string
  links: OutsideLinks
  measuring: Measuring
  sellsToConsumers: boolean
  /** Unset particulars are empty. */
  firm: Firm
  /** Whether to show the sample claims, reviews and stories: only in the sandbox. */
  hasSamples: boolean
  /** Applied to everything owners wrote, before hidden parts are removed. */
  mark?: ((content: AllContent) => AllContent) | undefined
}

export type PageOverride = Override & { page: string }

/** `unfit`: overrides we ignored in favour of the file. */
export type MergedContent = { content: AllContent; unfit: (Unfit & { page: ContentPage })[] }

export const schemaOf = (page: ContentPage): ContentSchema<unknown> => contentSchemas[page]

/** Everything visitors and mails read, validated: the files with the owners' overrides. */
export function mergeContent(
  files: ContentFiles,
  overrides: readonly PageOverride[],
  { url, links, measuring, sellsToConsumers, firm, hasSamples, mark = (content) => content }: ContentSettings,
): MergedContent {
  const unfit: MergedContent['unfit'] = []
  const merge = <Content>(page: ContentPage, schema: ContentSchema<Content>, values?: unknown): Content => {
    const own = overrides.filter((override) => override.page === page)
    const merged = mergeFile(files[page], { overrides: own, values }, schema)
    unfit.push(...merged.unfit.map((one) => ({ ...one, page })))
    return merged.content
  }
  const file = merge('site', SiteFile)
  const values = { ...file, firm: firmValues(firm) }
  const texts = PageName.options.map((name) => [name, merge(name, schemaOf(name), values)])
  // Safe cast: each page was validated by its own schema.
  const written = Object.fromEntries(texts) as PageTexts
  const pages = { ...written, home: withProvenReviews(written.home) }
  const look = lookOf(file.brand)
  const site: SiteContent = {
    url,
    ...file,
    look,
    links,
    measuring,
    calls: {},
    disclosure: disclosureOf(firm),
    terms: versionOf(pages.terms),
    callDay: pages.home.join.callDay,
    ...(sellsToConsumers ? { sellsToConsumers } : {}),
  }
  const mails = merge('mails', MailTexts, values)
  const followUps = merge('follow-ups', FollowUpsText, values)
  const searchWords = merge('search-words', SearchWords)
  const content: AllContent = mark({ site, pages, mails, followUps, searchWords })
  return { content: hasSamples ? content : { ...content, ...withoutSamples(content) }, unfit }
}

export const toContentSettings = (
  settings: Settings,
  { links, measuring, sellsToConsumers, firm }: SiteSettings,
): ContentSettings => ({
  url: settings.publicUrl,
  hasSamples: settings.isSandbox,
  links,
  measuring,
  sellsToConsumers,
  firm,
})

export const contentSettingsOf = (ctx: Context): ContentSettings => toContentSettings(ctx.settings, siteSettings(ctx))

export const placeholderValues = (ctx: Context) => ({
  ...contentOf(ctx).read().site,
  firm: firmValues(siteSettings(ctx).firm),
})

/** From files and environment only, for use without a database. Throws a ContentError naming the first wrong entry. */
export function readContent(settings: Settings, folder?: string): AllContent {
  const site = settingsOfEnvironment(settings)
  return mergeContent(readFiles(folder), [], toContentSettings(settings, site)).content
}

/** The terms' date and a hash of their text: the date alone wouldn't identify a wording. */
const versionOf = (terms: LegalText): string =>
  `${terms.updated}-${new Bun.CryptoHasher('sha256').update(JSON.stringify(terms)).digest('hex').slice(0, 16)}`

const readVersion = (folder = contentFolder): string =>
  ContentPage.options
    .map((page) => statSync(`${folder}/${fileNameOf(page)}`, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    .join(' ')

/** `version` changes when owners edit the content. */
export type ContentStore = {
  version: () => number
  read: () => AllContent
  files: () => ContentFiles
  unfit: () => MergedContent['unfit']
}

type Options = {
  folder?: string
  /** How long a check of the files stays valid, in ms. */
  everyMs?: number
}

const opened = new WeakMap<Context, ContentStore>()

export function contentOf(ctx: Context, options?: Options): ContentStore {
  const store = opened.get(ctx) ?? openContent(ctx, options)
  opened.set(ctx, store)
  return store
}

/** Throws a ContentError if the first read fails. Later it logs a broken file and keeps serving the last good content. */
export function openContent(ctx: Context, { folder, everyMs = 1_000 }: Options = {}): ContentStore {
  const hasChanged = watchContent(ctx, folder, everyMs)
  let files = readFiles(folder)
  let merged = merge(ctx, files)
  let version = 1

  const takeOver = (read: ContentFiles) => {
    merged = merge(ctx, read)
    files = read
    writeIfPossible(ctx, () => recordTerms(ctx, merged.content))
    version += 1
    invalidateResponses(ctx)
  }

  const refresh = () => {
    const { byFiles, byRows } = hasChanged()
    try {
      if (byFiles || byRows) takeOver(readFiles(folder))
    } catch (error) {
      ctx.log.error('content was not taken over', { reason: errorMessage(error) })
      if (byRows) takeOver(files)
    }
  }
  const current = () => {
    refresh()
    return { version, files, ...merged }
  }
  return {
    version: () => current().version,
    read: () => current().content,
    files: () => current().files,
    unfit: () => current().unfit,
  }
}

function merge(ctx: Context, files: ContentFiles): MergedContent {
  const merged = mergeContent(files, listOverrides(ctx), shownSettings(ctx))
  for (const { page, entry, message } of merged.unfit) {
    ctx.log.warn('an override does not fit; the file’s own is shown', { page, entry, reason: message })
  }
  return merged
}

function shownSettings(ctx: Context): ContentSettings {
  const settings = contentSettingsOf(ctx)
  return ctx.settings.isSandbox ? { ...settings, links: withSamplePlaces(settings.links, settings.url) } : settings
}

export const contentWith = (
  ctx: Context,
  overrides: readonly PageOverride[],
  mark?: ContentSettings['mark'],
): AllContent => mergeContent(contentOf(ctx).files(), overrides, { ...shownSettings(ctx), mark }).content

type Changed = { byFiles: boolean; byRows: boolean }

/** Whether files or rows changed since the last call. Checks files every `everyMs`, and rows after any write. */
function watchContent(ctx: Context, folder: string | undefined, everyMs: number): () => Changed {
  let files = readVersion(folder)
  let rows = rowsVersion(ctx)
  let lookedAt = performance.now()
  let seen = cacheVersion(ctx)

  const haveFilesChanged = () => {
    if (performance.now() - lookedAt < everyMs) return false
    lookedAt = performance.now()
    const before = files
    files = readVersion(folder)
    return files !== before
  }
  const haveRowsChanged = () => {
    const now = cacheVersion(ctx)
    if (now === seen) return false
    seen = now
    const before = rows
    rows = rowsVersion(ctx)
    return rows !== before
  }
  return () => ({ byFiles: haveFilesChanged(), byRows: haveRowsChanged() })
}

function rowsVersion(ctx: Context): string {
  const { links, measuring, sellsToConsumers, firm } = siteSettings(ctx)
  return JSON.stringify([listOverrides(ctx), links, measuring, sellsToConsumers, firm])
}

/** The version they were shown if we ever showed it, else the current one. Call it in the transaction that stores it. */
export function agreedTerms(ctx: Context, shown: string | undefined): string {
  const content = contentOf(ctx).read()
  recordTerms(ctx, content)
  return shown !== undefined && termsByVersion.get(ctx, { version: shown }) !== undefined ? shown : content.site.terms
}
