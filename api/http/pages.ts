import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EntryServer, PageData, PageTemplate } from '#shared/contract/page.ts'
import { type KeptPage, keepPages } from './kept-pages.ts'
import { type Asked, answerReady } from './ready-bytes.ts'
import { decodePath } from './spelling.ts'
import { staticFiles } from './static-files.ts'

/** The built site: its document, and how its pages are rendered. */
export type Site = { template: PageTemplate; clientFolder: string; loadEntry: () => Promise<EntryServer> }

/** Where pages get what they show. A new `version` throws away everything that was rendered before. */
export type PageSource = { publicUrl: string; version: () => string; read: () => PageData }

/** Answers a GET or HEAD for whatever is not the API's. */
export type Pages = (asked: Asked) => Promise<Response> | Response

const builtSite = fileURLToPath(new URL('../../pwa/dist', import.meta.url))

/** Reads what the build left; none where the site has not been built. `template.hashes` go into the content policy. */
export function openSite(folder: string = builtSite): Site | undefined {
  const file = join(folder, 'server/template.json')
  if (!existsSync(file)) return undefined
  const template: PageTemplate = JSON.parse(readFileSync(file, 'utf8'))
  const entry = join(folder, 'server/entry-server.js')
  return { template, clientFolder: join(folder, 'client'), loadEntry: () => import(entry) }
}

/** Serves the site: files as they are, each public page rendered once per version, the shell for what the browser renders. */
export function createPages(site: Site, source: PageSource): Pages {
  const { template, clientFolder } = site
  const file = staticFiles(clientFolder, template.build)
  const findPage = keepPages(site, source)
  return (asked) => {
    const { request } = asked
    const { pathname } = new URL(request.url)
    const found = file(request, pathname)
    if (found) return found
    const page = findPage(decodePath(pathname))
    const answer = (ready: KeptPage) => answerPage(asked, ready, template.build)
    return page instanceof Promise ? page.then(answer) : answer(page)
  }
}

/** `x-page` and `x-build` tell the service worker what it may keep. */
const answerPage = (asked: Asked, { kind, bytes }: KeptPage, build: string) =>
  answerReady(asked, bytes, {
    status: kind === 'missing' ? 404 : 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-page': kind,
      'x-build': build,
    },
  })
