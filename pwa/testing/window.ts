import { URL as NativeUrl } from 'node:url'
import { builtinEnvironments } from 'vitest/runtime'
// Dexie looks for it once, when it first loads, and test files share their modules.
import 'fake-indexeddb/auto'

// Import this first. A window for a test that also runs the API. The API finds its own files by URL, which the jsdom environment
// would break, so we put Node's URL class back.
await builtinEnvironments.jsdom.setup(globalThis, {})
globalThis.URL = NativeUrl
