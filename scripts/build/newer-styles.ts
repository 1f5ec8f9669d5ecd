import data, { type Identifier } from '@mdn/browser-compat-data'
import { isNewer } from './newer-names.ts'

const { properties = {}, selectors = {}, types = {}, 'at-rules': atRules = {} } = data.css

const partOf = (whole: Identifier | undefined, name: string): Identifier | undefined => {
  const part = whole?.[name]
  return part && '__compat' in part ? part : undefined
}

/** Colours, lengths and the like have functions and units of their own. */
const ofSomeType = (name: string) =>
  partOf(types, name) ??
  Object.keys(types)
    .map((type) => partOf(types[type], name))
    .find((part) => part !== undefined)

const isKnownNewer = (feature: Identifier | undefined) => feature?.__compat !== undefined && isNewer(feature)

/**
 * What a style sheet has and some promised browser lacks: `:has`, `@scope`, `field-sizing`, `text-wrap: balance`, `light-dark()`,
 * `1lh`, `@media scripting`.
 */
export function newerStyles(css: string): string[] {
  const found = new Map<string, Identifier | undefined>()
  for (const [, name = ''] of css.matchAll(/@([a-z-]+)/g)) found.set(`@${name}`, atRules[name])
  for (const [, name = ''] of css.matchAll(/@media[^{]*\(([a-z-]+)/g))
    found.set(`@media ${name}`, partOf(atRules.media, name))
  for (const [, text = ''] of css.matchAll(/([^{};]*)\{/g))
    for (const [, name = ''] of text.matchAll(/:([a-z-]+)/g)) found.set(`:${name}`, selectors[name])
  for (const [, name = '', value = ''] of css.matchAll(/(?<=[;{])([a-z-]+):([^;{}]*)(?=[;}])/g)) {
    found.set(name, properties[name])
    if (!isKnownNewer(properties[name]))
      for (const [word] of value.matchAll(/[a-z][a-z-]*/g))
        found.set(`${name}: ${word}`, partOf(properties[name], word))
    for (const [, called = ''] of value.matchAll(/([a-z-]+)\(/g)) found.set(`${called}()`, ofSomeType(called))
    for (const [, unit = ''] of value.matchAll(/\d([a-z]+)\b/g)) found.set(`1${unit}`, partOf(types.length, unit))
  }
  return [...found].flatMap(([name, feature]) => (isKnownNewer(feature) ? [name] : [])).sort()
}
