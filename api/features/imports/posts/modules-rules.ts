/* MDX is Markdown with a program's lines and its own elements in it. */

/** Code as people read it, which stays as it is. */
const fence = /^(?:```|~~~)[\s\S]*?^(?:```|~~~)[ \t]*$/gm
/** Up to the next one or an empty line, as MDX has it. */
const moduleLines = /^(import|export)\s[^\n]*(?:\n(?![ \t]*(?:\n|$)|(?:import|export)\s)[^\n]*)*/gm
const aside = /\{\/\*[\s\S]*?\*\/\}/g
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
  const unix = text.replace(/\r\n?/g, '\n')
  let [at, done] = [0, '']
  for (const { index, 0: code } of unix.matchAll(fence)) {
    done += replaced(unix.slice(at, index)) + code
    at = index + code.length
  }
  return { text: done + replaced(unix.slice(at)), lost }
}
