import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lackedOf, newerNames } from './newer-names.ts'
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
  ours: ['.actions', '.address', '.draw', '.level', '.retry'],
  'page-views.ts, the entries of a tab’s history, which are an array': ['Iterator.flatMap in site'],
  'jotted.ts, the keys of our storage, which are an array': ['Iterator.filter in session'],
  'fake-indexeddb, of its own stores': ['.getAllRecords in memory'],
  'Tiptap and ProseMirror': [
    ...['.command', '.configure', '.createView', '.getHTML', '.handler', '.isActive', '.parseHTML', '.sync'],
  ],
  'valibot, Dexie, TanStack and React': ['.equals', '.fallback', '.handle', '.use'],
}

/** Styles that an old browser leaves out, and what's there instead. */
const leftOut = {
  'how it looks, while the words and controls stay': [
    'scrollbar-width',
    'text-wrap',
    'line-clamp',
    ':selection',
    ':details-content',
    '-webkit-tap-highlight-color',
  ],
  'Windows’ contrast themes, which Safari hasn’t': ['forced-color-adjust'],
  'how much of a long page is drawn at once': ['content-visibility', 'contain-intrinsic-size'],
  'where a printed page ends': ['break-after: avoid'],
  'the pointer, which touch has none of': [
    'cursor: default',
    'cursor: grab',
    'cursor: grabbing',
    'cursor: not-allowed',
    'cursor: pointer',
  ],
  'a field that grows, which a script makes grow; one resized by hand, which scrolls': [
    'field-sizing',
    'resize',
    '1lh',
  ],
  'a page without scripts, which says so anyway': ['@media scripting'],
  'plain-colours.ts': ['light-dark()'],
  'a frame around what’s chosen, which shows it itself': [':has'],
}

const accepted = new Set([...stoodIn, ...Object.values({ ...lookedFor, ...namesakes, ...leftOut }).flat()])

/** What the browser journeys take out of Chromium, so that it lacks what some promised browser lacks. */
export type Lacked = { names: string[]; styles: string[] }

/** `assets/session-DwF-OquT.js` is `session`. */
const chunkOf = (file: string) => /([\w.-]+)-[\w-]{8}\.js$/.exec(file)?.[1] ?? file

const wordsOf = (code: string) => code.match(/[A-Za-z_$][\w$]*/g) ?? []

/** Reads all scripts and styles of this folder. Throws if they have something that's too new and isn't in the lists above. */
export function checkNewerFiles(client: string): Lacked {
  const words = new Set<string>()
  const styles = new Set<string>()
  const unknown: string[] = []
  const note = (file: string, found: readonly string[]) => {
    for (const name of found)
      if (!accepted.has(name) && !accepted.has(`${name} in ${chunkOf(file)}`)) unknown.push(`${name} in ${file}`)
  }
  for (const file of readdirSync(client, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|css)$/.test(file)) continue
    const text = readFileSync(join(client, file), 'utf8')
    if (file.endsWith('.css')) {
      const found = newerStyles(text)
      for (const name of found) styles.add(name)
      note(file, found)
    } else {
      for (const word of wordsOf(text)) words.add(word)
      note(file, newerNames(text))
    }
  }
  if (unknown.length > 0)
    throw new Error(`Newer than a browser we promise: ${unknown.join(', ')}. What to do is in docs/browsers.md.`)
  return { names: lackedOf(words), styles: [...styles].sort() }
}
