import type { Draw } from './random.ts'
import type { World } from './world.ts'

/** Random values for rows. Each column has few, so that many rows tie in a list's order. */
export type Drawing = {
  draw: Draw
  pick<const Value>(from: readonly Value[]): Value
  /** An id whose order is unrelated to when its row was written. */
  id(): string
  /** A day around today, or a time around now. */
  day(): string
  time(): string
  name(): string
}

const names = ['Ann', 'ann', 'Öz', 'Zoë', 'D’Arcy', 'Bo Lee', '', 'ñandú', '李', '100%']
const hours = 3_600_000

/** Discards some draws, because all rows draw in the same order and each value would otherwise follow from the one before. */
const leavingOut =
  (draw: Draw): Draw =>
  (limit) => {
    for (let left = draw(7); left > 0; left -= 1) draw(2)
    return draw(limit)
  }

export function startDrawing({ ctx }: World, given: Draw): Drawing {
  const draw = leavingOut(given)
  const hex = (length: number) => Array.from({ length }, () => draw(16).toString(16)).join('')
  const around = (spread: number) => new Date(ctx.now().getTime() + (draw(spread) - spread / 2) * 9 * hours)
  const pick = <const Value>(from: readonly Value[]) => {
    const at = draw(from.length)
    const [picked] = from.slice(at, at + 1)
    if (picked === undefined) throw new Error('There is nothing to pick from.')
    return picked
  }
  return {
    draw,
    pick,
    id: () => `019a${hex(4)}-${hex(4)}-7${hex(3)}-8${hex(3)}-${hex(12)}`,
    day: () => around(20).toISOString().slice(0, 10),
    time: () => around(6).toISOString(),
    name: () => pick(names),
  }
}
