import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { type PageName, type PageTexts, pageNames } from '#shared/contract/page-texts.ts'
import type { AllContent, Measuring, OutsideLinks, SiteContent } from '#shared/contract/site-content.ts'
import { pageFiles } from './page-files.ts'
import { readFile } from './read-file.ts'
import { leaveOutSamples } from './samples.ts'
import { SiteFile } from './site-file.ts'

/** What the server adds to what the files say. */
export type Facts = { url: string; links: OutsideLinks; measuring: Measuring; isLive: boolean }

const contentFolder = join(import.meta.dirname, '../../../data/content')

const fileNames = ['site.json', ...pageNames.map((name) => `pages/${name}.json`)]

/** Everything that owners edit, read and checked; throws a ContentError naming the first wrong entry. */
export function readContent({ url, links, measuring, isLive }: Facts, folder = contentFolder): AllContent {
  const read = <Content>(name: string, schema: z.ZodType<Content>, values?: unknown) =>
    readFile({ path: `${folder}/${name}`, name: `data/content/${name}`, values }, schema)
  const own = read('site.json', SiteFile)
  const site: SiteContent = { url, ...own, links, measuring }
  const schemas: Record<PageName, z.ZodType> = pageFiles
  const pages = Object.fromEntries(pageNames.map((name) => [name, read(`pages/${name}.json`, schemas[name], own)]))
  // The one place that believes it: every name was read by the schema of that name.
  return leaveOutSamples({ site, pages: pages as PageTexts }, isLive)
}

/** Changes when one of the files has been written. */
export const contentVersion = (folder = contentFolder): string =>
  fileNames.map((name) => statSync(`${folder}/${name}`, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ')
