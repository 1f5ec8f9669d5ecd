import { slugOfFile } from '#api/features/blog/markdown-rules.ts'

/* Jekyll's and Hugo's marks in Markdown, which those programs replace when they build a site. */

/** `slugOf`: a post's slug here, by the name of its file without folders and extension. */
export type OtherPosts = (stem: string) => string | undefined

const stemOf = (name: string) => name.replace(/^.*\//, '').replace(/\.(md|markdown)$/i, '')

/** Slugs by file names. */
export function postsByFile(slugs: ReadonlyMap<string, string>): OtherPosts {
  const byStem = new Map([...slugs].map(([name, slug]) => [stemOf(name), slug]))
  return (stem) => byStem.get(stemOf(stem)) ?? (slugOfFile(stem, '') || undefined)
}

/** Marks that say what stands around them, which stays. */
const silent = new Set(['raw', 'endraw', 'comment', 'endcomment'])

const tag = /\{%-?\s*(\w+)(?!\w)([^%]*)%\}/g
const value = /\{\{(?![<%])([^{}]*)\}\}/g
const hugo = /\{\{[<%]\s*(\/?[\w-]+)(?![\w-])([^{}]*)[>%]\}\}/g

const quotedIn = (text: string) =>
  /"([^"]*)"|'([^']*)'/
    .exec(text)
    ?.slice(1)
    .find((one) => one !== undefined)

/** What they mean, in Markdown. `lost` counts those that only the old program understands. */
export function withoutTemplates(text: string, posts: OtherPosts): { text: string; lost: Map<string, number> } {
  const lost = new Map<string, number>()
  const lose = (what: string) => {
    lost.set(what, (lost.get(what) ?? 0) + 1)
    return ''
  }
  const plain = text
    .replace(tag, (_, name: string, rest: string) => {
      const said = rest.replace(/-$/, '').trim()
      if (name === 'highlight') return `\n\`\`\`${said.split(/\s/)[0] ?? ''}\n`
      if (name === 'endhighlight') return '\n```\n'
      if (name === 'post_url' || name === 'link') {
        const slug = posts(said)
        return slug === undefined ? lose(`{% ${name} %}`) : `/blog/${slug}`
      }
      return silent.has(name) || name.startsWith('end') ? '' : lose(`{% ${name} %}`)
    })
    .replace(hugo, (_, name: string, rest: string) => {
      const said = quotedIn(rest) ?? rest.trim().split(/\s/)[0] ?? ''
      if (name === 'youtube' && said !== '')
        return `\n\n<https://www.youtube.com/watch?v=${said.replace(/^id=/, '')}>\n\n`
      if (name === 'vimeo' && said !== '') return `\n\n<https://vimeo.com/${said.replace(/^id=/, '')}>\n\n`
      const source = /\bsrc="([^"]*)"/.exec(rest)?.[1]
      if (name === 'figure' && source) return `![${/\balt="([^"]*)"/.exec(rest)?.[1] ?? ''}](${source})`
      return name.startsWith('/') ? '' : lose(`{{< ${name} >}}`)
    })
    .replace(value, (_, said: string) => {
      const [what = '', ...filters] = said.split('|').map((part) => part.trim())
      if (/^site\.(url|baseurl)$/.test(what)) return ''
      const isAddress = filters.some((one) => /^(relative_url|absolute_url)\b/.test(one))
      return (isAddress ? quotedIn(what) : undefined) ?? lose(`{{ ${what.slice(0, 40)} }}`)
    })
  return { text: plain, lost }
}
