import * as v from 'valibot'
import { AppError } from '#api/errors.ts'
import type { SiteOptions } from './old-site-rules.ts'
import { pathOf, type Read } from './post-rules.ts'

/** Ghost's `redirects.yaml`, or `redirects.json` before Ghost 4. */
export const isRedirects = (name: string): boolean => /(^|\/)redirects[^/]*\.(ya?ml|json)$/i.test(name)

const Json = v.array(v.object({ from: v.string(), to: v.string() }))
/** `301` and `302`, each with `from: to`. */
const Yaml = v.record(v.string(), v.nullable(v.record(v.string(), v.string())))

function pairsIn(text: string, name: string): { from: string; to: string }[] {
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

/** Redirects between two paths. Patterns, and those to other sites, aren't taken. */
export function* readRedirects(
  text: string,
  { name, after, site }: SiteOptions & { name: string; after: number },
): Generator<Read> {
  const origins = site === undefined ? [] : [site]
  for (const [at, { from, to }] of pairsIn(text, name).entries()) {
    const line = after + at + 1
    const plain = from
      .replace(/^\^/, '')
      .replace(/\/?\$$/, '')
      .replaceAll('\\/', '/')
      .replace(/\/\?$/, '')
    const [path, target] = [pathOf(plain), pathOf(to, origins)]
    if (/[()[\]*+?|\\^$]/.test(plain) || /\$\d/.test(to))
      yield { line, refused: `The redirect from ${from} is a pattern. Add the ones you need one by one.` }
    else if (path === null || target === null)
      yield { line, refused: `The redirect from ${from} leads to another site.` }
    else if (path === target) yield { line, refused: `The redirect from ${from} leads to itself.` }
    else yield { line, row: { kind: 'address', from: path, to: target } }
  }
}
