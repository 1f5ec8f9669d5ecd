import type { PageStyle } from '#api/documents/plain-page.ts'
import { samplePage } from '#api/documents/sample-page.ts'
import { notFound } from '#api/errors.ts'
import { samplePages } from '#data/seed/places.ts'

/** A page of ours in the place of another site's. */
export function respondWithSamplePage(style: PageStyle, name: string): Response {
  const page = Object.hasOwn(samplePages, name) ? samplePages[name] : undefined
  if (page === undefined) throw notFound('This page')
  return new Response(samplePage(style, page), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': style.policy,
      'x-frame-options': 'SAMEORIGIN',
    },
  })
}
