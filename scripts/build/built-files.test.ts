import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import data from '@mdn/browser-compat-data'
import { expect, test } from 'vitest'
import { projectFolder } from '#api/project.ts'
import { promisedBrowsers } from './browsers.ts'
import { checkNewerFiles } from './newer-files.ts'
import { newerNames } from './newer-names.ts'
import { newerStyles } from './newer-styles.ts'

const client = join(projectFolder, 'pwa/dist/client')
/** The previous build's chunks stay for open pages. They aren't in the list. */
const chunks: string[] = JSON.parse(readFileSync(join(projectFolder, 'pwa/dist/chunks.json'), 'utf8'))
const scripts = [...readdirSync(client), ...chunks.map((name) => `assets/${name}`)].filter((name) =>
  name.endsWith('.js'),
)
const newerIn = (name: string) => newerNames(readFileSync(join(client, name), 'utf8'))

test('a function or a style that’s too new stops the build, which says where it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-newer-'))
  try {
    writeFileSync(join(folder, 'sw.js'), 'one.any?.(URL.canParse(all))')
    expect(checkNewerFiles(folder)).toEqual({
      names: ['AbortSignal.any', 'TaskSignal.any', 'URL.canParse'],
      styles: [],
    })
    writeFileSync(join(folder, 'page-12345678.js'), 'Promise.try(work)')
    writeFileSync(join(folder, 'page.css'), '@scope (a){b{color:red}}a:has(b){width:1lh}')
    expect(() => checkNewerFiles(folder)).toThrow(
      /: Promise\.try in page-12345678\.js, @scope in page\.css\. .*docs\/browsers\.md/,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('newer styles are noticed, whichever kind they are', () => {
  const sheet =
    '@scope (a){b{color:red}}a:has(b){width:1lh;text-wrap:balance}@media (scripting:none){c{color:light-dark(red,blue)}}'
  expect(newerStyles(sheet)).toEqual(['1lh', ':has', '@media scripting', '@scope', 'light-dark()', 'text-wrap'])
})

test('a worker that stand-ins don’t reach calls nothing newer', () => {
  const worker = scripts.find((name) => name.includes('piece-worker'))
  expect(worker && newerIn(worker)).toEqual([])
})

test('a newer function is found: of a known object, of any, of an iterator and a new object', () => {
  const code = `
    Promise.try(work); list.group.isSubsetOf(other); new Set(all).values().map(one);
    const time = new Intl.DurationFormat('en'); structuredClone(all); element.checkVisibility(); list.toSorted(); one.any?.()`
  expect(newerNames(code)).toEqual([
    '.checkVisibility',
    '.isSubsetOf',
    'Intl.DurationFormat',
    'Iterator.map',
    'Promise.try',
  ])
})

test('what the pages look for to know a browser that’s too old came just before those we promise', () => {
  const { __compat: sorted } = data.javascript.builtins?.Array?.toSorted ?? {}
  const { __compat: sheets } = data.api.Document?.adoptedStyleSheets ?? {}
  const firstWith = (name: 'chrome' | 'firefox' | 'safari') =>
    Math.max(...[sorted, sheets].map((one) => Number.parseFloat(String([one?.support[name]].flat()[0]?.version_added))))
  expect([firstWith('chrome'), firstWith('firefox'), firstWith('safari')]).toEqual([110, 115, 16.4])
})

test('the docs name the browsers that the build is made for', () => {
  const page = readFileSync(join(projectFolder, 'docs/browsers.md'), 'utf8')
  const { chrome, edge, firefox, safari, ios } = promisedBrowsers
  for (const words of [`Chrome ${chrome}`, `Edge ${edge}`, `Firefox ${firefox}`, `Safari ${safari}`, `iOS ${ios}`])
    expect(page).toContain(words)
})

const { document, routeChunks, shellRoutes } = JSON.parse(
  readFileSync(join(projectFolder, 'pwa/dist/server/template.json'), 'utf8'),
)

test('a page has its ground before anything is fetched, and the phone’s own bar its colour, so that neither is white at night', () => {
  const [head = ''] = document.split('</head>')
  expect(head).toMatch(/<style>[^<]*html\{[^}]*background:var\(--bench\)/)
  expect(head).not.toContain('rel="stylesheet"')
  for (const scheme of ['light', 'dark'])
    expect(head).toMatch(
      new RegExp(`<meta name="theme-color" content="#[0-9a-f]{6}" media="\\(prefers-color-scheme: ${scheme}\\)">`),
    )
})

test('a page reaches to the edge of the glass, grows with the browser’s bars, and may be zoomed', () => {
  const viewport = /<meta name="viewport" content="([^"]*)">/.exec(document)?.[1]
  expect(viewport).toBe('width=device-width, initial-scale=1, viewport-fit=cover')
  const sheets = readdirSync(join(client, 'assets')).filter((name) => name.endsWith('.css') && chunks.includes(name))
  const styles = [document, ...sheets.map((name) => readFileSync(join(client, 'assets', name), 'utf8'))]
  expect(styles.flatMap((style) => style.match(/[^{};]*\b100vh\b/g) ?? [])).toEqual([])
})

test('the members’ list needs few scripts beside those of every page: without signal, each costs a slow phone about 8 ms', () => {
  expect(routeChunks['/members'].length).toBeLessThanOrEqual(8)
})

test('a member’s place asks for its own page’s files in one go with the app’s, and no public page’s are listed', () => {
  const filesAt = (path: string) => shellRoutes[path]?.join(' ')
  for (const place of ['questions', 'ask', 'calls', 'commitments', 'shelf'])
    expect(filesAt(`/members/${place}`)).toMatch(new RegExp(`/place-page-.*/${place}-page-.*\\.css`))
  for (const place of ['book-call', 'catch-up'])
    expect(filesAt(`/members/${place}`)).toMatch(/\/place-page-.*\/book-page-/)
  for (const place of ['listen', 'wallet']) expect(filesAt(`/members/${place}`)).toMatch(/\/place-page-.*\/pocket-/)
  for (const path of ['/admin', '/admin/*']) expect(filesAt(path)).toMatch(/\/gate-/)
  expect(Object.keys(shellRoutes)).toContain('/members/videos/*')
  expect(Object.keys(shellRoutes)).not.toContain('/about')
})
