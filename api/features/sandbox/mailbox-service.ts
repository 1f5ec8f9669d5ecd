import type { MailboxMail } from '#api/mail/mailbox.ts'

/** The sandbox's mailbox as an HTML page: every mail's plain text, with links that can be clicked. */
export function renderMailbox(mails: readonly MailboxMail[]): string {
  const list = mails.length === 0 ? '<p>No mail yet.</p>' : mails.map(renderMail).join('\n')
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Mailbox</title>
</head>
<body>
<main>
<h1>Mailbox</h1>
<p>Without a mail server the site's mail is kept here. Newest first.</p>
${list}
</main>
</body>
</html>
`
}

function renderMail({ to, subject, text, attachment, at }: MailboxMail): string {
  return `<article>
<h2>${Bun.escapeHTML(subject)}</h2>
<p>To ${Bun.escapeHTML(to)}, <time datetime="${Bun.escapeHTML(at)}">${Bun.escapeHTML(at)}</time></p>
<pre>${linkAddresses(text)}</pre>
${attachment === null ? '' : `<p>Attached: <a href="${Bun.escapeHTML(attachment)}">${Bun.escapeHTML(attachment)}</a></p>`}
</article>`
}

/** Splitting by a captured pattern puts the matches, which are the addresses, at the odd places. */
function linkAddresses(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) => {
      const shown = Bun.escapeHTML(part)
      return index % 2 === 1 ? `<a href="${shown}" rel="noreferrer">${shown}</a>` : shown
    })
    .join('')
}
