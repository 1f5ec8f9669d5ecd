import type { FormValue } from '#api/sandbox/resources/form.ts'
import { atClockTime, type Context } from '#api/sandbox/store/context.ts'
import { findObject } from '#api/sandbox/store/store.ts'
import { consentPage } from './consent-page.ts'
import { invoicePage } from './invoice-page.ts'
import { type Page, renderLayout, styleSheet } from './layout.ts'
import { creditNotePdf, invoicePdf } from './pdf.ts'

export type PageRequest = { method: string; path: string; form: FormValue }

function pdfOf(ctx: Context, kind: string, id: string): Response | null {
  if (kind === 'credit_note') {
    const note = findObject(ctx.store, 'credit_note', id)
    return note && creditNotePdf(note)
  }
  const invoice = findObject(ctx.store, 'invoice', id)
  return invoice === null || invoice.status === 'draft' ? null : invoicePdf(invoice)
}

function pageOf(ctx: Context, { method, form }: PageRequest, [kind = '', ...rest]: string[]): Page | Response | null {
  const [id = '', part] = rest
  if (kind === 'style.css') return styleSheet()
  if (kind === '3ds' || kind === 'paypal') return consentPage(ctx, method, rest)
  if ((kind === 'invoice' || kind === 'credit_note') && part === 'pdf') return pdfOf(ctx, kind, id)
  if (kind === 'invoice' && part === undefined) return invoicePage(ctx, method, id, form)
  return null
}

/** Renders one of the sandbox's pages. Null for any other path. Links are relative, so they work behind a proxy. */
export function renderPage(ctx: Context, request: PageRequest): Response | null {
  const segments = request.path.split('/').slice(1)
  const page = pageOf(atClockTime(ctx, segments), request, segments)
  if (page === null || page instanceof Response) return page
  return renderLayout(page, '../'.repeat(segments.length - 1))
}
