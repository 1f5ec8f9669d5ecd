import type { Site } from '#api/http/page-cache.ts'

/** Every page as the build would serve it, rendered from the sources. Its document includes the design tokens. */
export function siteIn(folder: string): Site {
  const style = ':root{--hivis:#ffdc00;--carbon:light-dark(#173f9e,#a5bdff)}'
  const document = `<head><style>${style}</style><script>start()</script><!--head--></head><!--body-->`
  const built = {
    entry: '',
    entryChunks: [],
    routeChunks: {},
    routeStyles: {},
    shellRoutes: {},
    build: 'b1',
  }
  return {
    template: { document, ahead: 'ahead()', stopped: 'start()', hashes: { script: [], style: [] }, ...built },
    clientFolder: folder,
    loadEntry: () => import('#pwa/entry-server.tsx'),
  }
}
