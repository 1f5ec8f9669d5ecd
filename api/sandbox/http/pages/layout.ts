export type Page = { title: string; body: string; status?: number }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** The day in London. `at` is in unix seconds. */
export function formatDay(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/London' }).format(at * 1000)
}

const style = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0; padding: 1.5rem }
main { max-width: 34rem; margin: 0 auto }
h1 { font-size: 1.5rem; line-height: 1.2 }
table { width: 100%; border-collapse: collapse }
th, td { padding: .4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent) }
td:last-child, th:last-child { text-align: right; white-space: nowrap }
label { display: block; margin: .75rem 0 }
input { display: block; box-sizing: border-box; width: 100%; font: inherit; padding: .6rem }
button { font: inherit; min-height: 2.75rem; padding: .5rem 1.25rem; margin: .75rem .75rem .75rem 0; cursor: pointer }
[role=alert] { padding: .75rem; border-left: .25rem solid #c62828 }
`

export function styleSheet(): Response {
  return new Response(style, { headers: { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-store' } })
}

/** `up` is the relative path from the page to the sandbox's root, which works behind any proxy. */
export function renderLayout({ title, body, status = 200 }: Page, up: string): Response {
  const html = `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><link rel="stylesheet" href="${up}style.css"></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; style-src 'self'; base-uri 'none'",
      'Referrer-Policy': 'no-referrer',
    },
  })
}

export function seeOther(address: string): Response {
  return new Response(null, { status: 303, headers: { Location: address, 'Cache-Control': 'no-store' } })
}
