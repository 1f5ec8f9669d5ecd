/** What every page rendered by React must load. Assigning it to the global object keeps the bundler from removing it. */
import * as client from 'react-dom/client'

Object.assign(globalThis, { client })
