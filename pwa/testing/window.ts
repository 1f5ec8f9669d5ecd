import { URL as NativeUrl } from 'node:url'
import { builtinEnvironments } from 'vitest/runtime'
// Dexie looks for it once, when it is first loaded, and files share their modules.
import 'fake-indexeddb/auto'

// To be imported first. A window for a test in which the API runs too. The API finds its own files by URLs, which the
// environment for screens would break, so the URL class of Node is put back.
await builtinEnvironments.jsdom.setup(globalThis, {})
globalThis.URL = NativeUrl
