import { createFront } from './front.ts'
import { makeOld } from './old.ts'

/** Where the journeys run with `OLD=1`. Returns what ends it. */
export default function startOldFront(): () => void {
  const front = createFront(process.env.E2E_SERVER_PORT, makeOld).listen(Number(process.env.E2E_PORT))
  return () => {
    front.close()
    front.closeAllConnections()
  }
}
