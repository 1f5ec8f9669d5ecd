import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const folder = fileURLToPath(new URL('../../pwa/routes', import.meta.url))
const placesFile = fileURLToPath(new URL('../../pwa/features/members/area/place-page.tsx', import.meta.url))

/** Each route's page, by its file below `pwa`. `routes/blog.$slug.tsx` is /blog/$slug; `members_.` is below /members, not inside. */
const routePages = readdirSync(folder).flatMap((name) => {
  const source = readFileSync(`${folder}/${name}`, 'utf8')
  const page = /component: lazyPage\(\s*\(\) => import\('#pwa\/([^']+)'\)/.exec(source)?.[1]
  const id = name
    .replace(/\.tsx$/, '')
    .replaceAll('_.', '.')
    .replaceAll('.', '/')
    .replace(/(^|\/)index$/, '$1')
  return page === undefined ? [] : [{ id: `/${id}`, page }]
})

/** The route that has a member's pages beside the list of videos. It loads the place's own page. */
export const placeRoute = '/members/$place'

const placesSource = readFileSync(placesFile, 'utf8')
const bookPage = /bookPageOf = [\s\S]*?import\('#pwa\/([^']+)'\)/.exec(placesSource)?.[1]
const placePages = [
  ...placesSource.matchAll(
    /'?([\w-]+)'?: \{\s+page: '[^}]*?Page: (?:lazyPage\(\(\) => import\('#pwa\/([^']+)'\)|bookPageOf)/g,
  ),
].map(([, name = '', page = bookPage ?? '']) => ({ id: placeRoute.replace('$place', name), page }))

/** Places count as routes of their own. */
const allPages = [...routePages, ...placePages]

export const isPlace = (id: string): boolean => placePages.some((place) => place.id === id)

/** The routes whose page one of these modules is. */
export const routesOf = (moduleIds: readonly string[]): string[] =>
  allPages.filter(({ page }) => moduleIds.some((module) => module.endsWith(`/pwa/${page}`))).map(({ id }) => id)

/** Beside Vite's manifest, which doesn't name a page that another one imports too. */
export const routeChunksFile = '.vite/route-chunks.json'

/** Writes which chunk each route's page is in. */
export const writeRouteChunks: Plugin = {
  name: 'route-chunks',
  apply: 'build',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).flatMap((file) =>
      file.type === 'chunk' ? routesOf(file.moduleIds).map((id) => [id, file.fileName] as const) : [],
    )
    const missing = allPages.filter(({ id }) => !chunks.some(([found]) => found === id))
    if (missing.length > 0) throw new Error(`Not in the build: ${missing.map(({ page }) => page)}`)
    this.emitFile({ type: 'asset', fileName: routeChunksFile, source: JSON.stringify(Object.fromEntries(chunks)) })
  },
}
