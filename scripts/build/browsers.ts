/**
 * The oldest browsers we promise. The build lowers syntax and styles to them, and refuses what they don't have (`newer-files.ts`).
 * docs/browsers.md names them.
 */
export const promisedBrowsers = { chrome: '111', edge: '111', firefox: '115', safari: '16.4', ios: '16.4' } as const

/** As Vite writes them: `chrome111`. */
export const buildTargets = Object.entries(promisedBrowsers).map(([name, version]) => `${name}${version}`)
