import { htmlName, markdownName, slugOfFile } from '#api/features/site/blog/markdown-rules.ts'

/* Jekyll's and Hugo's marks in Markdown, which those programs replace when they build a site. */

/** `slugOf`: a post's slug here, by the name of its file without folders and extension. */
export type OtherPosts = (stem: string) => string | undefined

const stemOf = (name: string) =>
  name
    .replace(markdownName, '')
    .replace(htmlName, '')
    .replace(/\/index$/i, '')
    .replace(/^.*\//, '')

/** Slugs by file names. */
export function postsByFile(slugs: ReadonlyMap<string, string>): OtherPosts {
  const byStem = new Map([...slugs].map(([name, slug]) => [stemOf(name), slug]))
  return (stem) => byStem.get(stemOf(stem)) ?? (slugOfFile(stem, '') || undefined)
}

/** What Jekyll never shows, and what it shows as it stands. */
const aside = /\{%-?\s*(comment|endcomment|raw|endraw)\s*-?%\}/

const tag = /\{%-?\s*(\w+)(?!\w)((?:[^%{]|%(?!\})|\{(?!%))*)%\}/g
/** How kramdown gives what stands before it, or the lines above, a class or a target. */
const look = /(?<=[)\]*_`])\{:[^{}\n>]*\}|^[ \t]*(?:[*-][ \t]+TOC[ \t]*\r?\n[ \t]*)?\{:[^{}\n>]*\}[ \t]*$/gm
const value = /\{\{(?![<%])([^{}]*)\}\}/g
const hugo = /\{\{[<%]\s*(\/?[\w-]+)(?![\w-])([^{}]*)[>%]\}\}/g

const quotedIn = (text: string) =>
  /"([^"]*)"|'([^']*)'/
    .exec(text)
    ?.slice(1)
    .find((one) => one !== undefined)

/** Null for one that only Hugo understands. */
function hugoMark(name: string, rest: string): string | null {
  const said = (quotedIn(rest) ?? rest.trim().split(/\s/)[0] ?? '').replace(/^id=/, '')
  if (name === 'youtube' && said !== '') return `\n\n<https://www.youtube.com/watch?v=${said}>\n\n`
  if (name === 'vimeo' && said !== '') return `\n\n<https://vimeo.com/${said}>\n\n`
  const given = (what: string) => quotedIn(new RegExp(`\\b${what}=("[^"]*"|'[^']*')`).exec(rest)?.[1] ?? '')
  const [source, under] = [given('src'), given('caption') ?? given('title')]
  if (name === 'figure' && source) return `![${given('alt') ?? ''}](${source})${under ? `\n\n${under}\n\n` : ''}`
  return name.startsWith('/') ? '' : null
}

/** What a value is, without its filters. */
const unmarked = (said: string) =>
  said
    .replace(/^-|-$/g, '')
    .replace(/\|[\s\S]*/, '')
    .trim()

const siteAddress = /^site\.(url|baseurl|github\.url)$/
const addressFilter = /\|\s*(relative_url|absolute_url|prepend:\s*site\.(url|baseurl|github\.url))\b/

/** The address a value stands for. Null if it's something else. */
function addressIn(said: string): string | null {
  if (siteAddress.test(unmarked(said))) return ''
  return addressFilter.test(said) ? (quotedIn(unmarked(said)) ?? null) : null
}

/** What they mean, in Markdown. `lost` counts those that only the old program understands. */
export function withoutTemplates(text: string, posts: OtherPosts): { text: string; lost: Map<string, number> } {
  const lost = new Map<string, number>()
  const lose = (what: string) => {
    lost.set(what, (lost.get(what) ?? 0) + 1)
    return ''
  }
  const replaced = (part: string) =>
    part
      .replace(look, '')
      .replace(tag, (_, name: string, rest: string) => {
        const said = rest.replace(/-$/, '').trim()
        if (name === 'highlight') return `\n\`\`\`${said.split(/\s/)[0] ?? ''}\n`
        if (name === 'endhighlight') return '\n```\n'
        if (name === 'link' && !/\.(md|markdown|html?)$/i.test(said)) return `/${said.replace(/^\//, '')}`
        if (name === 'post_url' || name === 'link') {
          const slug = posts(said)
          return slug === undefined ? lose(`{% ${name} %}`) : `/blog/${slug}`
        }
        return name.startsWith('end') ? '' : lose(`{% ${name} %}`)
      })
      .replace(hugo, (_, name: string, rest: string) => hugoMark(name, rest) ?? lose(`{{< ${name} >}}`))
      .replace(value, (_, said: string) => addressIn(said) ?? lose(`{{ ${unmarked(said).slice(0, 40)} }}`))
  const parts: string[] = []
  let within = ''
  for (const [at, part] of text.split(aside).entries())
    if (at % 2 === 1) within = part
    else if (within === 'raw') parts.push(part)
    else if (within !== 'comment') parts.push(replaced(part))
  return { text: parts.join(''), lost }
}
