import type { KeptRow, ShelfPause } from '#pwa/sync/progress/kept.ts'
import { Tape } from '#pwa/ui/tape.tsx'
import { percentOf, sizeText, stateText } from './shelf-texts.ts'

type Props = { row: KeptRow; pause: ShelfPause | null; isFirst: boolean }

/** How far it is. Only the words are read out when they change; the tape would talk at every piece. */
export const KeptProgress = ({ row, pause, isFirst }: Props) => (
  <>
    <p className="second">
      <b role="status">{stateText(row, pause, isFirst)}</b> · {sizeText(row)}
    </p>
    {row.coming && (
      <Tape label="Percent on this phone" value={percentOf(row.coming)} max={100} major={25} minor={5} isSmall />
    )}
  </>
)
