import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '#api/project.ts'
import { compressBody, compressedResponse, type HandlerInput } from '#api/serving/compressed-response.ts'
import type { PageData, PageTemplate } from '#shared/contract/page.ts'
import { decodePath } from './canonical-path.ts'
import {
  type CachedPage,
  createPageCache,
  type PageSource,
  type ReadyPages,
  renderPreview,
  type Site,
} from './page-cache.ts'
import { featuresAt, previewPolicy } from './security-headers.ts'
import { createFileHandler } from './static-files.ts'

export type PageHandler = (input: HandlerInput) => Promise<Response> | Response

const buildFolder = join(projectFolder, 'pwa/dist')

/** Loads the build. Undefined if the site hasn't been built. `template.hashes` go into the CSP. */
export function readBuiltSite(folder: string = buildFolder): Site | undefined {
  const file = join(folder, 'server/template.json')
  if (!existsSync(file)) return undefined
  const template: PageTemplate = JSON.parse(readFileSync(file, 'utf8'))
  const entry = join(folder, 'server/entry-server.js')
  return { template, clientFolder: join(folder, 'client'), loadEntry: () => import(entry) }
}

/** Serves the site: static files, public pages rendered once per version, and the shell for pages the browser renders. */
export function createPageHandler(
  site: Site | undefined,
  source: PageSource,
  ready?: ReadyPages | undefined,
): PageHandler {
  if (site === undefined) return () => new Response('The site hasn’t been built. Run: npm start', { status: 503 })
  const { template, clientFolder } = site
  const respondWithFile = createFileHandler(clientFolder, template.build, source.keptAssets)
  const findPage = createPageCache(site, source)
  return (input) => {
    const { request } = input
    const { pathname, searchParams } = new URL(request.url)
    const file = respondWithFile(input, pathname)
    if (file) return file
    const path = decodePath(pathname)
    const moved = source.movedTo(path)
    if (moved !== null) return movedResponse(moved)
    const preview = searchParams.has('preview') ? source.preview(searchParams.get('preview') ?? '') : null
    if (preview !== null) return respondWithPreview(site, input, { ...preview, publicUrl: source.publicUrl, pathname })
    const page = findPage(path)
    const isSecret = [...searchParams.keys()].some((name) => !openParameter.test(name))
    const respond = (found: CachedPage) => {
      const old = found.kind === 'missing' ? source.oldPath(path) : null
      if (old !== null) return movedResponse(old)
      const isPublic = found.kind === 'page'
      const policy = isPublic ? source.publicPolicy(policyOf(input)) : policyOf(input)
      const movedFrom = isPublic ? source.movedFrom(path) : []
      const features = featuresAt(path, headerOf(input, 'permissions-policy'))
      const response = pageResponse(input, found, { build: template.build, policy, features, movedFrom })
      if (isPublic && !isSecret) ready?.remember(request, response)
      return isSecret ? keepNowhere(response) : response
    }
    return page instanceof Promise ? page.then(respond) : respond(page)
  }
}

/** Permanent but revalidated, because another post may take over the address. */
const movedResponse = (path: string) =>
  new Response(null, { status: 301, headers: { location: encodeURI(path), 'cache-control': 'no-cache' } })

/**
 * Query parameters that hold no secret: a visitor's choice, a payment's outcome, campaign tags. Anything else a route reads may
 * be an emailed token or one of Stripe's secrets, which stays in the address until it's used.
 */
const openParameter =
  /^(at|coach|errand|for|package|redirect|redirect_status|share|subject|tab|video|utm_\w+|gclid|fbclid)$/

const publishedLogo = /\/icons\/logo\.svg\?look=\w*/g

type PreviewOf = { data: PageData; isFramed: boolean; publicUrl: string; pathname: string }

/** An owner's unpublished page. Only the editor may frame one, and listens for clicks: none of its scripts run there. */
async function respondWithPreview(
  site: Site,
  input: HandlerInput,
  { isFramed, pathname, ...of }: PreviewOf,
): Promise<Response> {
  const { document: published, kind } = await renderPreview(site, of, decodePath(pathname))
  const { logo } = of.data.content.brand
  // The pages' own address of the logo answers with the published one.
  const document = logo.startsWith('/media/') ? published.replaceAll(publishedLogo, logo) : published
  const body = compressBody(isFramed ? withoutScripts(document) : document)
  const response = compressedResponse(input, body, {
    status: kind === 'missing' ? 404 : 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': previewPolicy(policyOf(input), document, isFramed),
      ...(isFramed ? { 'x-frame-options': 'SAMEORIGIN' } : {}),
    },
  })
  return keepNowhere(response)
}

const headerOf = ({ set }: HandlerInput, wanted: string) =>
  String(Object.entries(set.headers).find(([name]) => name === wanted)?.[1] ?? '')

const policyOf = (input: HandlerInput) => headerOf(input, 'content-security-policy')

const withoutScripts = (document: string) =>
  document.replace(/<script\b[\s\S]*?<\/script>|<link rel="modulepreload"[^>]*>/g, '')

function keepNowhere(response: Response): Response {
  response.headers.set('cache-control', 'no-store')
  response.headers.set('referrer-policy', 'no-referrer')
  response.headers.set('x-robots-tag', 'noindex')
  return response
}

type Told = { build: string; policy: string; features: string; movedFrom: readonly string[] }

/**
 * `x-page` and `x-build` tell the service worker what it may cache, and `x-look` when the brand has changed. `x-moved-from` lists
 * old addresses of the page, so links to them work offline too.
 */
const pageResponse = (
  input: HandlerInput,
  { kind, look, body }: CachedPage,
  { build, policy, features, movedFrom }: Told,
) =>
  compressedResponse(input, body, {
    status: kind === 'missing' ? 404 : 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': policy,
      'x-page': kind,
      'x-build': build,
      ...(look === '' ? {} : { 'x-look': look }),
      ...(movedFrom.length === 0 ? {} : { 'x-moved-from': movedFrom.join(' ') }),
    },
    // The shell is one document at many addresses.
    own: { 'permissions-policy': features },
  })
