import { URL as NativeUrl } from 'node:url'
import { builtinEnvironments } from 'vitest/runtime'

// To be imported first. A window for a test in which the API runs too: that one finds its own files by their addresses,
// which the environment for screens would take away.
await builtinEnvironments.jsdom.setup(globalThis, {})
globalThis.URL = NativeUrl
