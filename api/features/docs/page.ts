import type { ApiDocument } from './service.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)

export function docsPage({ paths }: ApiDocument): string {
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security, responses }]) => {
      const role = Object.values(security?.[0] ?? {})[0]?.[0] ?? 'anybody'
      const cells = [method.toUpperCase(), path, role, Object.keys(responses).join(' ')]
      return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`
    }),
  )
  return `<!doctype html>
<html lang="en-GB">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>API</title></head>
<body><main><h1>API</h1><p>Schemas of every body and answer: <a href="/api/docs/json">/api/docs/json</a> (OpenAPI).</p>
<table><thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">For</th><th scope="col">Answers</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></main></body></html>`
}
