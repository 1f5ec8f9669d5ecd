export type Area = 'shared' | 'api' | 'cli' | 'pwa' | 'data' | 'tools'

const areas: readonly Area[] = ['shared', 'api', 'cli', 'pwa', 'data']

/** The part of the project a file belongs to. Scripts and configuration files are tools. */
export function areaOf(path: string): Area {
  if (/\.config\.ts$/.test(path)) return 'tools'
  return areas.find((area) => path.startsWith(`${area}/`)) ?? 'tools'
}

/** Journeys run under Node against the built site, so they're tests with walls of their own. */
export const isJourney = (path: string) => path.startsWith('pwa/e2e/')

export const isTest = (path: string) =>
  /\.test\.tsx?$/.test(path) || path.split('/').includes('testing') || isJourney(path)

export const featureOf = (path: string) => /^api\/features\/([^/]+)\//.exec(path)?.[1]

export type Finding = { path: string; line?: number; rule: Rule; says: string }
export type Rule =
  | 'direction'
  | 'routes'
  | 'testing'
  | 'owner'
  | 'layer'
  | 'sandbox'
  | 'cycle'
  | 'folder-cycle'
  | 'feature-size'
  | 'name'
  | 'feature-files'
  | 'environment'
  | 'exit'
  | 'raw-sql'
  | 'claimed-type'
  | 'bare-load'
  | 'unrun-test'
  | 'comment-word'
  | 'trade-word'
  | 'tier-slug'
