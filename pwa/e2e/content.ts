import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { PageName, pageTextSchemas } from '#shared/contract/page-texts.ts'
import { type NavigationLink, SiteFile } from '#shared/contract/site-content.ts'
import { firmValues } from '#shared/rules/firm.ts'
import { fillPlaceholders } from '#shared/rules/placeholders.ts'

// The content the server under test was started with. Journeys expect these words, so that an owner can change them.

const readJson = (name: string): unknown => JSON.parse(readFileSync(`data/content/${name}.json`, 'utf8'))

const siteJson = readJson('site')

export const site = v.parse(SiteFile, fillPlaceholders(siteJson, siteJson))

/** The firm's details aren't set, and no journey may depend on them. */
const firm = firmValues({})

const pagesJson = PageName.options.map((name) => [name, fillPlaceholders(readJson(`pages/${name}`), { ...site, firm })])

export const pages = v.parse(v.strictObject(pageTextSchemas), Object.fromEntries(pagesJson))

/** The navigation bar's links in order, including its menu's. */
export const navigationLinks: readonly NavigationLink[] = site.navigation.flatMap((entry) =>
  'items' in entry ? entry.items : [entry],
)

export const labelOf = (path: string): string => navigationLinks.find((link) => link.path === path)?.label ?? ''

export const menuLabel = site.navigation.find((entry) => 'items' in entry)?.label ?? ''
