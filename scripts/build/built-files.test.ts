import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '#api/project.ts'
import { promisedBrowsers } from './browsers.ts'
import { newerNames } from './newer-names.ts'
import { newerStyles } from './newer-styles.ts'

/** Called where a promised browser may lack them: `pwa/lib/stand-ins.ts` adds them. */
const stoodIn = ['AbortSignal.any', 'Map.groupBy', 'Promise.withResolvers', 'URL.canParse']

/** Called only where the browser has them, by the file that looks for them. */
const lookedFor = {
  'sw.ts, routes of the worker': ['.addRoutes'],
  'piece-files.ts, writing files; without it a worker writes': ['.createWritable'],
  'Dexie, the names of databases; without it keeps a list of its own': ['.databases'],
  'the lesson’s player, picture in picture': ['.exitPictureInPicture', '.requestPictureInPicture'],
  'share-invoice.tsx, after asking canShare; without it there’s no button': ['.share in pocket'],
  'React, a transition of the view': ['.skipTransition'],
  '@simplewebauthn/browser': [
    ...['.getAuthenticatorData', '.getPublicKeyAlgorithm', '.getTransports', '.isConditionalMediationAvailable'],
    ...['.signalAllAcceptedCredentials', '.signalCurrentUserDetails', '.signalUnknownCredential'],
    ...['PublicKeyCredential.getClientCapabilities', 'PublicKeyCredential.isConditionalMediationAvailable'],
  ],
  'fake-indexeddb': ['.intersection in memory', '.postTask in memory'],
  'diff, words by a segmenter; it’s given words': ['.segment'],
  ProseMirror: [
    '.caretPositionFromPoint',
    '.caretRangeFromPoint',
    '.createHTML',
    '.createPolicy',
    '.getComposedRanges',
  ],
}

/** Functions of ours or a library's that only share the name. */
const namesakes = {
  ours: ['.actions', '.address', '.draw', '.retry'],
  'page-views.ts, the entries of a tab’s history, which are an array': ['Iterator.flatMap in site'],
  'jotted.ts, the keys of our storage, which are an array': ['Iterator.filter in session'],
  'fake-indexeddb, of its own stores': ['.getAllRecords in memory'],
  'Tiptap and ProseMirror': [
    ...['.command', '.configure', '.createView', '.getHTML', '.handler', '.isActive', '.parseHTML', '.sync'],
  ],
  'valibot, Dexie, TanStack and React': ['.equals', '.fallback', '.handle', '.use'],
}

const accepted = new Set([...stoodIn, ...Object.values({ ...lookedFor, ...namesakes }).flat()])

const client = join(projectFolder, 'pwa/dist/client')
/** The previous build's chunks stay for open pages. They aren't in the list. */
const chunks: string[] = JSON.parse(readFileSync(join(projectFolder, 'pwa/dist/chunks.json'), 'utf8'))
const scripts = [...readdirSync(client), ...chunks.map((name) => `assets/${name}`)].filter((name) =>
  name.endsWith('.js'),
)
const newerIn = (name: string) => newerNames(readFileSync(join(client, name), 'utf8'))

/** `assets/session-DwF-OquT.js` is `session`. */
const chunkOf = (name: string) => /([\w.-]+)-[\w-]{8}\.js$/.exec(name)?.[1] ?? name

test('what the built site calls is in every browser that we promise, stood in for, or looked for first', () => {
  expect(scripts).toContain('sw.js')
  const unknown = scripts.flatMap((name) =>
    newerIn(name)
      .filter((found) => !accepted.has(found) && !accepted.has(`${found} in ${chunkOf(name)}`))
      .map((found) => `${found} in ${name}`),
  )
  expect(unknown).toEqual([])
})

/** Styles that an old browser leaves out, and what's there instead. */
const leftOut = {
  'how it looks, while the words and controls stay': [
    'scrollbar-width',
    'text-wrap',
    'text-wrap: balance',
    'line-clamp',
  ],
  'how much of a long page is drawn at once': [
    'content-visibility',
    'content-visibility: auto',
    'contain-intrinsic-size',
  ],
  'where a printed page ends': ['break-after: avoid'],
  'the pointer, which touch has none of': [
    'cursor: default',
    'cursor: grab',
    'cursor: grabbing',
    'cursor: not-allowed',
    'cursor: pointer',
  ],
  'a box that grows, which scrolls': ['field-sizing', 'resize', '1lh'],
  'a page that has its scripts switched off, which says so': ['@media scripting'],
  'plain-colours.ts': ['light-dark()'],
  'a frame around what’s chosen, which shows it itself': [':has'],
}

test('what the built styles have is in every browser that we promise, or can be left out', () => {
  const sheets = readdirSync(join(client, 'assets')).filter((name) => name.endsWith('.css') && chunks.includes(name))
  expect(sheets.length).toBeGreaterThan(5)
  const known = new Set(Object.values(leftOut).flat())
  const unknown = sheets.flatMap((name) =>
    newerStyles(readFileSync(join(client, 'assets', name), 'utf8'))
      .filter((found) => !known.has(found))
      .map((found) => `${found} in ${name}`),
  )
  expect(unknown).toEqual([])
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

test('the docs name the browsers that the build is made for', () => {
  const page = readFileSync(join(projectFolder, 'docs/browsers.md'), 'utf8')
  const { chrome, edge, firefox, safari, ios } = promisedBrowsers
  for (const words of [`Chrome ${chrome}`, `Edge ${edge}`, `Firefox ${firefox}`, `Safari ${safari}`, `iOS ${ios}`])
    expect(page).toContain(words)
})

const { document, routeChunks } = JSON.parse(readFileSync(join(projectFolder, 'pwa/dist/server/template.json'), 'utf8'))

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
