import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findNodeAtLocation, getNodePath, getNodeValue, type Node, parseTree } from 'jsonc-parser'
import * as v from 'valibot'
import { listHours } from '#api/features/calendar/queries.ts'
import { isSampleSender } from '#api/settings.ts'
import { fileNameOf, mergeContent, readFiles, toContentSettings } from '#api/site/content.ts'
import { ContentError, contentFolder } from '#api/site/content-files.ts'
import { listOverrides } from '#api/site/content-queries.ts'
import { type HasSettings, readSiteSettings, sellerProblem, siteValues } from '#api/site/settings.ts'
import { ContentPage, contentPageOf } from '#shared/contract/admin-content.ts'
import type { CallKind } from '#shared/contract/call-kind.ts'
import type { UnfinishedEntry } from '#shared/contract/content-check.ts'
import type { SetupRefusal } from '#shared/contract/setup.ts'
import { SettingName, settingOption } from '#shared/contract/site-settings.ts'
import { applyOverrides, isWithin, type Override } from '#shared/rules/overrides.ts'
import { fillPlaceholders } from '#shared/rules/placeholders.ts'
import { type FormerOf, formerTexts, formerTiers, readFormer } from './former-service.ts'

/** Contact details no one owns, even without a sample mark. */
const sampleContact = /@alliance\.test$|wa\.me\/44000|\b01632 ?960/

const contactFields = ['chat', 'email', 'phone']

/** What's still the software's sample text or from before a rebrand, what isn't set, and what no longer fits. */
export function findUnfinished(ctx: HasSettings, folder = contentFolder): UnfinishedEntry[] {
  const rows = listOverrides(ctx)
  const shipped: unknown = JSON.parse(readFileSync(join(folder, fileNameOf('site')), 'utf8'))
  const values = applyOverrides(
    shipped,
    rows.filter(({ page }) => page === 'site'),
  )
  const formerOf = readFormer(shipped, values)
  const inPages = ContentPage.options.flatMap((page) => {
    const text = readFileSync(join(folder, fileNameOf(page)), 'utf8')
    return unfinishedIn({ page, text, formerOf, overrides: rows.filter((row) => row.page === page) })
  })
  // As visitors see it: placeholders refer to figures in the site's own file.
  const filled = inPages.map((found) => ({ ...found, says: String(fillPlaceholders(found.says, values)) }))
  return [
    ...filled,
    ...formerTiers(ctx, formerOf),
    ...unfinishedSettings(ctx),
    ...unsetAddresses(ctx),
    ...unfitOverrides(ctx, folder),
  ]
}

function unfinishedSettings({ db, settings }: HasSettings): UnfinishedEntry[] {
  const place = { file: 'settings', line: null }
  const { sampleSellerOptions, blankFirmOptions } = readSiteSettings({ db, settings })
  const blanks = [...sampleSellerOptions, ...blankFirmOptions].map(
    (entry): UnfinishedEntry => ({ kind: 'blank', ...place, entry, says: 'is not set' }),
  )
  if (!isSampleSender(settings)) return blanks
  return [...blanks, { kind: 'contact', ...place, entry: 'MAIL_FROM', says: settings.mailFrom }]
}

/** Our own calendar replaces these links if no address is set. */
const ownCalendars: Partial<Record<SettingName, CallKind>> = {
  BOOKING_URL: 'consultation',
  COACH_CALL_URLS: 'coaching',
  CATCH_UP_URLS: 'catch-up',
  SALES_CALL_URL: 'sales',
}

/** No page links to these. A missing analytics script is no gap. */
function unsetAddresses(ctx: HasSettings): UnfinishedEntry[] {
  const set = siteValues(ctx)
  const booked = new Set(listHours(ctx).map(({ kind }) => kind))
  const isBooked = (kind: CallKind | undefined) => kind !== undefined && booked.has(kind)
  return SettingName.options
    .filter((name) => /_URLS?$/.test(name) && settingOption(name).group !== 'measuring')
    .filter((name) => !set[name]?.trim() && !isBooked(ownCalendars[name]))
    .map((entry) => ({ kind: 'unset', file: 'settings', line: null, entry, says: settingOption(entry).label }))
}

function unfitOverrides({ db, settings }: HasSettings, folder: string): UnfinishedEntry[] {
  const place = (page: ContentPage) => ({ file: `data/content/${fileNameOf(page)}`, line: null })
  try {
    const site = toContentSettings(settings, readSiteSettings({ db, settings }))
    const { unfit } = mergeContent(readFiles(folder), listOverrides({ db }), site)
    return unfit.map(({ page, entry, message }) => ({ kind: 'unfit', ...place(page), entry, says: message }))
  } catch (error) {
    if (!(error instanceof ContentError)) throw error
    return [{ kind: 'unfit', file: 'data/content', line: null, entry: '', says: error.message }]
  }
}

type Page = { page: ContentPage; text: string; formerOf: FormerOf }

/** Owners' changes are in the database, so they have no line. */
function unfinishedIn({ overrides, ...page }: Page & { overrides: readonly Override[] }): UnfinishedEntry[] {
  const isChanged = ({ entry }: UnfinishedEntry) => overrides.some((override) => isWithin(entry, override.entry))
  const inFile = unfinishedInText(page).filter((found) => !isChanged(found))
  if (overrides.length === 0) return inFile
  const text = JSON.stringify(applyOverrides(JSON.parse(page.text), overrides))
  const changed = unfinishedInText({ ...page, text }).filter(isChanged)
  return [...inFile, ...changed.map((found) => ({ ...found, line: null }))]
}

function unfinishedInText({ page, text, formerOf }: Page): UnfinishedEntry[] {
  const root = parseTree(text)
  if (root === undefined) return []
  const at = (node: Node): Pick<UnfinishedEntry, 'file' | 'line' | 'entry'> => ({
    file: `data/content/${fileNameOf(page)}`,
    line: text.slice(0, node.offset).split('\n').length,
    entry: getNodePath(node).join('.'),
  })
  const contacts = stringsIn(root)
    .filter((node) => isSampleContact(node))
    .map((node): UnfinishedEntry => ({ kind: 'contact', ...at(node), says: String(getNodeValue(node)) }))
  const claims = samplesIn(root).flatMap((node): UnfinishedEntry[] => {
    const value = getNodeValue(node)
    if (contactFields.some((field) => field in value)) return []
    return [{ kind: 'claim', ...at(node), says: claimIn(value) }]
  })
  const samples = [...contacts, ...claims]
  const former = formerTexts(formerOf, page, getNodeValue(root)).flatMap(({ kind, entry, says }): UnfinishedEntry[] => {
    // A sample is replaced whole.
    if (samples.some((sample) => isWithin(entry, sample.entry))) return []
    const path = entry.split('.').map((name) => (/^\d+$/.test(name) ? Number(name) : name))
    const node = findNodeAtLocation(root, path)
    return node === undefined ? [] : [{ kind, ...at(node), says }]
  })
  return [...samples, ...former]
}

const nodesIn = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(nodesIn)]

/** Values only: the first child of a property is its name. */
const stringsIn = (root: Node): Node[] =>
  nodesIn(root).filter((node) => node.type === 'string' && node.parent?.children?.[0] !== node)

const samplesIn = (root: Node): Node[] => nodesIn(root).filter((node) => node.type === 'object' && isMarked(node))

const isMarked = (node: Node): boolean => findNodeAtLocation(node, ['isSample'])?.value === true

function isSampleContact(node: Node): boolean {
  if (sampleContact.test(String(node.value))) return true
  const [name, owner] = [node.parent?.children?.[0]?.value, node.parent?.parent]
  return contactFields.includes(String(name)) && owner !== undefined && isMarked(owner)
}

const ClaimTexts = v.fallback(
  v.object({
    figure: v.optional(v.string()),
    label: v.optional(v.string()),
    heading: v.optional(v.string()),
    text: v.optional(v.string()),
  }),
  {},
)

/** The text by which an owner recognises it. */
function claimIn(value: unknown): string {
  const { figure, label, heading, text } = v.parse(ClaimTexts, value)
  return [figure, label ?? heading ?? text].filter(Boolean).join(' ')
}

function toRefusal({ kind, file, line, entry, says }: UnfinishedEntry): SetupRefusal {
  if (kind === 'blank') return refusalOfSetting(v.parse(SettingName, entry), 'is not set')
  if (file === 'settings')
    return { says: `Emails still come from the sample address ${says}`, where: entry, target: null }
  const where = line === null ? `${file}: ${entry}` : `${file}, line ${line}: ${entry}`
  const target = { page: v.parse(ContentPage, contentPageOf(file)), part: entry.split('.')[0] ?? '' }
  return sampleContact.test(says)
    ? { says: `“${says}” is a sample, so no one gets it`, where, target }
    : {
        says: `“${says}” is still marked as a sample. If it’s yours, remove the mark`,
        where: where.replace(/\w+$/, 'isSample'),
        target,
      }
}

function refusalOfSetting(name: SettingName, problem: string): SetupRefusal {
  const { group, label } = settingOption(name)
  return { says: `${label} ${problem}`, where: name, target: { group } }
}

/** What blocks a start with a live key, each with its place; empty if nothing does. */
export function refusalsOfLiveStart(ctx: HasSettings, unfinished = findUnfinished(ctx)): SetupRefusal[] {
  const missing = unfinished.filter(({ kind }) => kind === 'contact' || kind === 'blank')
  const site = readSiteSettings(ctx)
  // A missing particular is already in the list below.
  const seller = site.sampleSellerOptions.length === 0 ? sellerProblem(site) : null
  const own =
    seller === null
      ? []
      : [refusalOfSetting('SELLER_VAT_NUMBER', 'isn’t a UK VAT number: nine digits, such as GB 123 4567 82')]
  return [...missing.map(toRefusal), ...own]
}

export const describeRefusal = ({ says, where }: SetupRefusal): string => `${says} (${where})`
