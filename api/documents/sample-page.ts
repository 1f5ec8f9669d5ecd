import { type PageLook, type PageStyle, pageStyle, plainPage, escapeText as text } from './plain-page.ts'

type SamplePage = { title: string; lead: string; lines: readonly string[] }

/** This site may frame it. Nothing in it runs, and its links open in a new tab. The origin is needed for the font. */
export function sampleStyle(look: PageLook): PageStyle {
  const { css, policy } = pageStyle(look, sampleCss)
  const framed = policy.replace(`frame-ancestors 'none'`, `frame-ancestors 'self'`)
  return { css, policy: `${framed}; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox` }
}

export const samplePage = ({ css }: PageStyle, { title, lead, lines }: SamplePage): string =>
  plainPage(css, {
    title,
    bar: { name: 'Sample page', links: [{ label: 'A sample page: to the site', href: '/' }] },
    main: `<h1>${text(title)}</h1>
<p class="lead">${text(lead)}</p>
<ol class="lines">${lines.map((line) => `<li>${text(line)}</li>`).join('')}</ol>
`,
  }).replace('<head>', '<head>\n<base target="_blank">')

const sampleCss = `
.lead { margin-block: 1rem 1.5rem; }
.lines { margin: 0; padding: 0; list-style: none; border-block-start: 4px solid var(--ink); }
.lines li { padding-block: 0.75rem; border-block-end: 1px solid var(--rule); font-weight: 640; }
`
