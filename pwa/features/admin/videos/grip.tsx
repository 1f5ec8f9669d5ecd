import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef } from 'react'
import type { Moves } from './use-moves.ts'

/** The row being dragged, and where it would land. */
export type Drag = { id: string; position: number } | null
type Props = {
  id: string
  title: string
  moves: Moves
  isSaving?: boolean
  list: React.RefObject<HTMLOListElement | null>
  drag: Drag
  onDrag: (drag: Drag) => void
}

/** Drag it, or pick it up with Space and move it with the arrow keys. */
export function Grip({ id, title, moves, isSaving = false, list, drag, onDrag }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const isHeld = moves.heldId === id
  // Moving a row down re-inserts it, and the button loses focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each move
  useLayoutEffect(() => {
    if (isHeld) button.current?.focus()
  }, [isHeld, moves.ids])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isHeld || !['ArrowUp', 'ArrowDown', 'Escape'].includes(event.key)) return
    event.preventDefault()
    if (event.key === 'Escape') moves.putBack()
    else moves.step(event.key === 'ArrowUp' ? -1 : 1)
  }
  const positionAt = (y: number) =>
    [...(list.current?.children ?? [])].filter((row) => {
      const { top, height } = row.getBoundingClientRect()
      return y > top + height / 2
    }).length
  const drop = () => {
    if (drag?.id !== id) return
    const from = moves.ids.indexOf(id)
    moves.dropAt(id, drag.position > from ? drag.position - 1 : drag.position)
    onDrag(null)
  }
  return (
    <button
      ref={button}
      type="button"
      className="vid__grip"
      aria-pressed={isHeld}
      aria-label={`Move ${title}`}
      // `disabled` would lose the focus while saving.
      aria-disabled={isSaving || undefined}
      onClick={({ detail }) => detail === 0 && !isSaving && (isHeld ? moves.setDown() : moves.pickUp(id))}
      onKeyDown={onKeyDown}
      onPointerDown={(event: PointerEvent) => {
        if (!isSaving) event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event: PointerEvent) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onDrag({ id, position: positionAt(event.clientY) })
      }}
      onPointerUp={drop}
      onPointerCancel={() => onDrag(null)}
    >
      <span aria-hidden="true">⠿</span>
    </button>
  )
}

export function HeldPosition({ moves: { ids, heldId } }: { moves: Moves }) {
  const position = heldId === null ? -1 : ids.indexOf(heldId)
  return (
    <p className="vh" aria-live="assertive">
      {position >= 0 &&
        `Place ${position + 1} of ${ids.length}. Arrow keys move it, Space sets it down, Escape puts it back.`}
    </p>
  )
}
