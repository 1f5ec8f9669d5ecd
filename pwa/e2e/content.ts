import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { PageName, pageTextSchemas } from '#shared/contract/page-texts.ts'
import { type NavigationLink, SiteFile } from '#shared/contract/site-content.ts'
import { firmValues } from '#shared/rules/firm.ts'
import { fillPlaceholders } from '#shared/rules/placeholders.ts'

// What the server under test was started with. Journeys expect these words, so that an owner may change them.

const readJson = (name: string): unknown => JSON.parse(readFileSync(`data/content/${name}.json`, 'utf8'))

const siteJson = readJson('site')

export const site = v.parse(SiteFile, fillPlaceholders(siteJson, siteJson))

/** Nobody has set who the firm is, nor could a journey's words depend on it. */
const firm = firmValues({})

const pagesJson = PageName.options.map((name) => [name, fillPlaceholders(readJson(`pages/${name}`), { ...site, firm })])

/** The texts of every page, by the name of its file. */
export const pages = v.parse(v.strictObject(pageTextSchemas), Object.fromEntries(pagesJson))

/** Every link of the navigation bar, in its order, those of its menu too. */
export const navigationLinks: readonly NavigationLink[] = site.navigation.flatMap((entry) =>
  'items' in entry ? entry.items : [entry],
)

/** What the navigation bar calls the page at a path. */
export const labelOf = (path: string): string => navigationLinks.find((link) => link.path === path)?.label ?? ''

/** What the navigation bar calls its menu of software pages. */
export const menuLabel = site.navigation.find((entry) => 'items' in entry)?.label ?? ''
