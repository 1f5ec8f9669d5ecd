import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '#api/project.ts'
import { promisedBrowsers } from './browsers.ts'
import { newerNames } from './newer-names.ts'

/** Called where a promised browser may lack them: `pwa/lib/stand-ins.ts` adds them. */
const stoodIn = ['AbortSignal.any', 'Map.groupBy', 'Promise.withResolvers', 'URL.canParse']

/** Called only where the browser has them, by the file that looks for them. */
const lookedFor = {
  'sw.ts, routes of the worker': ['.addRoutes'],
  'piece-files.ts, writing files; without it a worker writes': ['.createWritable'],
  'Dexie, the names of databases; without it keeps a list of its own': ['.databases'],
  'the lesson’s player, picture in picture': ['.exitPictureInPicture', '.requestPictureInPicture'],
  'React, a transition of the view': ['.skipTransition'],
  '@simplewebauthn/browser': [
    ...['.getAuthenticatorData', '.getPublicKeyAlgorithm', '.getTransports', '.isConditionalMediationAvailable'],
    ...['.signalAllAcceptedCredentials', '.signalCurrentUserDetails', '.signalUnknownCredential'],
    ...['PublicKeyCredential.getClientCapabilities', 'PublicKeyCredential.isConditionalMediationAvailable'],
  ],
  'fake-indexeddb': ['.intersection in memory', '.postTask in memory'],
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
