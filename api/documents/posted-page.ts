import { type PageStyle, plainPage, escapeText as text } from './plain-page.ts'

type PostedPage = { title: string; lead: string; lines?: readonly string[] }

/** What a form says that was sent without scripts. */
export const postedPage = ({ css }: PageStyle, { title, lead, lines = [] }: PostedPage): string =>
  plainPage(css, {
    title,
    bar: { name: 'Main', links: [{ label: 'Back to home', href: '/' }] },
    main: `<h1>${text(title)}</h1>
<p>${text(lead)}</p>
${lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${text(line)}</li>`).join('')}</ul>\n`}`,
  })
