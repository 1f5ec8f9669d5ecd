import { formatMoment } from '#shared/rules/london.ts'
import { type PageLook, type PageStyle, pageStyle, plainPage, escapeText as text } from './plain-page.ts'

type Mail = {
  id: string
  to: string
  replyTo: string | null
  subject: string
  text: string
  attachment: string | null
  at: string
}

export const mailboxPath = '/sandbox/mail'

/** Goes in an iframe without scripts, whose links open in the whole window. Emails have inline styles. */
const mailPolicy = [
  ...[`default-src 'none'`, `style-src 'unsafe-inline'`, `img-src data:`, `base-uri 'none'`, `form-action 'none'`],
  ...[`frame-ancestors 'self'`, `sandbox allow-top-navigation-by-user-activation`],
].join('; ')

export const embeddedMailHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'private, no-store',
  'content-security-policy': mailPolicy,
  'x-frame-options': 'SAMEORIGIN',
}

/** An email's HTML for the iframe. Its logo (PNG) is embedded, because the iframe can't load files from the site. */
export const embeddedMail = (html: string, logo: Uint8Array | null): string =>
  html
    .replace('<head>', '<head>\n<base target="_top">')
    .replace('cid:logo', logo === null ? '' : `data:image/png;base64,${Buffer.from(logo).toString('base64')}`)

export const mailboxStyle = (look: PageLook): PageStyle => pageStyle(look, mailboxCss, [`frame-src 'self'`])

/** Sent emails, newest first. `older` is the next page's address. */
export function mailboxPage({ css }: PageStyle, mails: readonly Mail[], older: string | null): string {
  const list =
    mails.length === 0
      ? '<p class="intro">No emails yet.</p>'
      : `<ol class="mails">${mails.map((mail) => `<li><a href="${mailboxPath}/${text(mail.id)}"><b>${text(mail.subject)}</b></a><p>To ${text(mail.to)}, ${sentTime(mail)}</p></li>`).join('\n')}</ol>`
  return plainPage(css, {
    title: 'Mailbox',
    bar: {
      name: 'Mailbox',
      links: [
        { label: 'To the site', href: '/' },
        { label: 'Try it out', href: '/sandbox' },
        { label: 'Newest emails', href: mailboxPath },
      ],
    },
    main: `<h1>Mailbox</h1>
<p class="intro">Without a mail server the site’s emails are kept here. Newest first.</p>
${list}
${older === null ? '' : `<p><a class="older" href="${text(older)}">Older emails</a></p>`}
`,
  })
}

/** One email as sent: its HTML in an iframe, and its text. */
export const mailPage = ({ css }: PageStyle, mail: Mail): string =>
  plainPage(css, {
    title: mail.subject,
    bar: { name: 'Mailbox', links: [{ label: 'Back to the mailbox', href: mailboxPath }] },
    main: `<h1>${text(mail.subject)}</h1>
<dl class="facts">${mailFacts(mail)
      .map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`)
      .join('')}</dl>
<h2>As an email program shows it</h2>
<iframe title="The email as HTML" src="${mailboxPath}/${text(mail.id)}/html" sandbox="allow-top-navigation-by-user-activation"></iframe>
<h2>As plain text</h2>
<pre>${linkAddresses(mail.text)}</pre>
`,
  })

const mailFacts = (mail: Mail): [string, string][] => [
  ['To', text(mail.to)],
  ...(mail.replyTo === null ? [] : ([['Replies go to', text(mail.replyTo)]] as [string, string][])),
  ['Sent', sentTime(mail)],
  ...(mail.attachment === null ? [] : ([['Attached', attachmentLink(mail.attachment)]] as [string, string][])),
]

/** A call for their calendar goes by its file's name. The others are invoices, credit notes and statements. */
const attachmentLink = (path: string) =>
  `<a href="${text(path)}">${path.includes('/call.ics?') ? 'call.ics' : 'The PDF'}</a>`

const sentTime = ({ at }: Mail) => `<time datetime="${text(at)}">${text(formatMoment(at))}</time>`

/** Splitting by a capturing pattern puts the matches, the URLs, at odd positions. */
const linkAddresses = (plain: string) =>
  plain
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) => (index % 2 === 1 ? `<a href="${text(part)}" rel="noreferrer">${text(part)}</a>` : text(part)))
    .join('')

const mailboxCss = `
.intro { margin-block: 1rem 1.5rem; }
.mails { list-style: none; margin: 0; padding: 0; border-block-start: 4px solid var(--ink); }
.mails li { padding-block: 0.5rem; border-block-end: 1px solid var(--rule); }
.mails a, .older { display: inline-flex; align-items: center; min-height: 3rem; }
.mails b { font-weight: 680; }
.mails p, dt { color: var(--ink-2); font-size: 1rem; line-height: 1.4; }
.older { margin-block-start: 1rem; }
.facts { display: grid; gap: 0.6rem; margin-block: 1.5rem; border-block-start: 4px solid var(--ink); padding-block-start: 0.75rem; }
dd { font-weight: 640; }
dd a { display: inline-flex; align-items: center; min-height: 3rem; }
h2 { margin-block: 2rem 0.5rem; }
iframe { display: block; width: 100%; height: 36rem; border: 2px solid var(--rule); background: var(--bench); }
pre { margin: 0; padding: 1rem; border: 1px solid var(--rule); font: inherit; font-size: 1rem; white-space: pre-wrap; }
`
