import { useState } from 'react'

type Held = { id: string; order: readonly string[] }

function movedTo(order: readonly string[], id: string, position: number): string[] {
  const rest = order.filter((other) => other !== id)
  return rest.toSpliced(Math.max(0, Math.min(position, rest.length)), 0, id)
}

/** Moves one of a list’s rows by keys or dragging. `onOrder` gets the new order once the row is set down. */
export function useMoves(ids: readonly string[], onOrder: (order: readonly string[]) => void) {
  const [held, setHeld] = useState<Held | null>(null)
  const settle = (order: readonly string[]) => {
    setHeld(null)
    if (order.join() !== ids.join()) onOrder(order)
  }
  return {
    ids: held?.order ?? ids,
    heldId: held?.id ?? null,
    pickUp: (id: string) => setHeld({ id, order: ids }),
    step: (by: number) => {
      if (held) setHeld({ ...held, order: movedTo(held.order, held.id, held.order.indexOf(held.id) + by) })
    },
    setDown: () => held && settle(held.order),
    putBack: () => setHeld(null),
    dropAt: (id: string, position: number) => settle(movedTo(ids, id, position)),
  }
}

export type Moves = ReturnType<typeof useMoves>
