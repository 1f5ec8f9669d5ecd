/* MDX is Markdown with a program's lines and its own elements in it. */

/** Before each line that begins or ends code, which stays as it is. */
const fence = /^(?=```|~~~)/m
/** Up to the next one or an empty line, as MDX has it. */
const moduleLines = /^(import|export)\s[^\n]*(?:\n(?![ \t]*(?:\n|$)|(?:import|export)\s)[^\n]*)*/gm
const aside = /\{\/\*(?:(?!\{\/\*)[\s\S])*?\*\/\}/g
const element = /<(\/?)([A-Z][\w.]*)(?:"[^"]*"|'[^']*'|[^'"<>])*>/g

/** MDX as Markdown: the text within its elements stays. `lost` counts what goes. */
export function withoutModules(text: string): { text: string; lost: Map<string, number> } {
  const lost = new Map<string, number>()
  const lose = (what: string) => {
    lost.set(what, (lost.get(what) ?? 0) + 1)
    return ''
  }
  const replaced = (part: string) =>
    part
      .replace(moduleLines, (_, word: string) => lose(`${word} line`))
      .replace(aside, '')
      .replace(element, (_, slash: string, name: string) => (slash === '' ? lose(`<${name}>`) : ''))
  const parts = text.replace(/\r\n?/g, '\n').split(fence)
  // A text that begins with code has nothing before it.
  const isCode = fence.test(parts[0] ?? '') ? 0 : 1
  return { text: parts.map((part, at) => (at % 2 === isCode ? part : replaced(part))).join(''), lost }
}
