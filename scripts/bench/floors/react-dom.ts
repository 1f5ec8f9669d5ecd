/** What every React page must load. Assigning it to the global object keeps the bundler from dropping it. */
import * as client from 'react-dom/client'

Object.assign(globalThis, { client })
