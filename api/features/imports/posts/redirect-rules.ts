import * as v from 'valibot'
import { AppError } from '#api/errors.ts'
import { leadsToOwnPage } from '#api/features/site/blog/old-address-rules.ts'
import type { SiteOptions } from './old-site-rules.ts'
import { type ForeignAddress, pathOf } from './post-rules.ts'

/** Ghost's `redirects.yaml`, or `redirects.json` before Ghost 4. */
export const isRedirects = (name: string): boolean => /(^|\/)redirects[^/]*\.(ya?ml|json)$/i.test(name)

const Json = v.array(v.object({ from: v.string(), to: v.string() }))
/** `301` and `302`, each with `from: to`. */
const Yaml = v.record(v.string(), v.nullable(v.record(v.string(), v.string())))

type Pair = { from: string; to: string }

function pairsIn(text: string, name: string): Pair[] {
  const unreadable = new AppError('invalid', `We can’t read ${name}.`)
  try {
    if (name.toLowerCase().endsWith('.json')) return v.parse(Json, JSON.parse(text))
    // Aliases can grow without end.
    if (/(^|\s)[&*]\w/.test(text)) throw unreadable
    const groups = v.parse(Yaml, Bun.YAML.parse(text) ?? {})
    return Object.values(groups).flatMap((group) => Object.entries(group ?? {}).map(([from, to]) => ({ from, to })))
  } catch {
    throw unreadable
  }
}

export type Redirect = { row: ForeignAddress } | { refused: string }

/** Redirects between two paths. Patterns, and those to other sites, aren't taken. */
export const readRedirects = (text: string, name: string, { site }: SiteOptions): Redirect[] =>
  pairsIn(text, name).map((pair) => readOne(pair, site === undefined ? [] : [site]))

function readOne({ from, to }: Pair, origins: readonly string[]): Redirect {
  const plain = from
    .replace(/^\^/, '')
    .replace(/\/?\$$/, '')
    .replaceAll('\\/', '/')
    .replace(/\/\?$/, '')
  const [path, target] = [pathOf(plain), pathOf(to, origins)]
  if (/[()[\]*+?|\\^$]/.test(plain) || /\$\d/.test(to))
    return { refused: `The redirect from ${from} is a pattern. Add the ones you need one by one.` }
  if (path === null || target === null) return { refused: `The redirect from ${from} leads to another site.` }
  if (!leadsToOwnPage(target)) return { refused: `The redirect from ${from} doesn’t lead to a page.` }
  if (path === target) return { refused: `The redirect from ${from} leads to itself.` }
  return { row: { kind: 'address', from: path, to: target } }
}
