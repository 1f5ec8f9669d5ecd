import type { Command } from 'commander'
import { apiMethods } from './api-fields.ts'
import { type SharedOptions, withClient } from './client.ts'
import { toSafeLine } from './control-characters.ts'
import type { Io } from './io.ts'
import { request, requestPage } from './request.ts'

const most = 50

export async function completeWords(program: Command, io: Io, words: readonly string[]): Promise<string[]> {
  const typed = words.at(-1) ?? ''
  let leaf = program
  const given: string[] = []
  for (const word of words.slice(0, -1)) {
    const below = leaf.commands.find((one) => one.name() === word)
    if (below === undefined) given.push(word)
    leaf = below ?? leaf
  }
  if (typed.startsWith('-')) return optionsOf(leaf).filter((flag) => flag.startsWith(typed))
  const below = leaf.createHelp().visibleCommands(leaf)
  if (leaf.commands.length > 0) return below.map((one) => one.name()).filter((name) => name.startsWith(typed))
  const [before = ''] = given.slice(-1)
  const option = leaf.options.find(({ long, short }) => before !== '' && (long === before || short === before))
  const listed = choicesIn(option?.description ?? '')
  if (listed.length > 0) return listed.filter((value) => value.startsWith(typed))
  const wanted = before.startsWith('-') ? before : argumentAt(leaf, countArguments(leaf, given))
  return (await valuesOf(io, { name: wanted, typed, before })).filter((value) => value.startsWith(typed))
}

/** The values that a description is a list of, such as `paid, open`. None if it says anything else. */
const choicesIn = (description: string): string[] =>
  /^[a-z-]+(, [a-z-]+)+$/.test(description) ? description.split(', ') : []

const optionsOf = (leaf: Command): string[] => [
  ...leaf.options.map(({ long, short }) => long ?? short ?? ''),
  ...(leaf.parent === null ? [] : optionsOf(leaf.parent)),
]

/** Many things have a number, so these have the noun in front. */
function argumentAt(leaf: Command, at: number): string {
  const name = leaf.registeredArguments[at]?.name() ?? ''
  return name === 'number' ? `${leaf.parent?.name()} ${name}` : name
}

function countArguments(leaf: Command, given: readonly string[]): number {
  const hasValue = (flag: string) =>
    leaf.options.some((one) => (one.long === flag || one.short === flag) && one.required)
  return given.filter((word, at) => !word.startsWith('-') && !hasValue(given[at - 1] ?? '')).length
}

type Wanted = { name: string; typed: string; before: string }

/** Values for an argument or option by its name in the help. Offers none without a database or server. */
async function valuesOf(io: Io, { name, typed, before }: Wanted): Promise<string[]> {
  try {
    if (/^(--email|--member|--to|.*email.*|member)$/.test(name)) return await completeAddresses(io, typed)
    if (/^(--invoice|invoices number)$/.test(name)) return await completeInvoiceNumbers(io, typed)
    if (/^(--tier|tier)$/.test(name)) return await completeTiers(io)
    if (name === '--format') return (await import('#shared/contract/accounting.ts')).accountFormats.slice()
    if (name === 'method-or-path') return [...apiMethods, ...(await completePaths(io, 'GET'))]
    if (name === 'path') return await completePaths(io, before)
    return []
  } catch {
    return []
  }
}

async function completePaths(io: Io, method: string): Promise<string[]> {
  const { readOperations } = await import('./api-document.ts')
  const operations = await withClient(io, noOptions, (_client, _siteUrl, send) => readOperations(send))
  return (operations ?? []).filter((one) => one.method === method.toUpperCase()).map(({ path }) => path)
}

async function completeAddresses(io: Io, typed: string): Promise<string[]> {
  const { AdminMemberList } = await import('#shared/contract/members.ts')
  const query = { limit: most, sort: 'email' as const, ...(typed === '' ? {} : { q: typed }) }
  const { value } = await withClient(io, noOptions, ({ api }) =>
    requestPage(AdminMemberList, api.admin.members.get({ query })),
  )
  return value.map(({ email }) => toSafeLine(email))
}

async function completeTiers(io: Io): Promise<string[]> {
  const { AdminTierList } = await import('#shared/contract/admin-tier.ts')
  const tiers = await withClient(io, noOptions, ({ api }) => request(AdminTierList, api.admin.tiers.get()))
  return tiers.map(({ slug }) => slug)
}

async function completeInvoiceNumbers(io: Io, typed: string): Promise<string[]> {
  const { AdminInvoiceList } = await import('#shared/contract/invoices.ts')
  const query = { limit: most, ...(typed === '' ? {} : { q: typed }) }
  const { value } = await withClient(io, noOptions, ({ api }) =>
    requestPage(AdminInvoiceList, api.admin.invoices.get({ query })),
  )
  return value.map(({ number }) => toSafeLine(number))
}

const noOptions: SharedOptions = {}
