/** What every page that React draws must load; kept whole by being handed out. */
import * as client from 'react-dom/client'

Object.assign(globalThis, { client })
