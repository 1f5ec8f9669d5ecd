/** Whole numbers from 0 to below `limit`. The same seed gives the same numbers. */
export type Draw = (limit: number) => number

export function drawsFrom(seed: number): Draw {
  let state = seed >>> 0
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

export function shuffled<Item>(items: readonly Item[], draw: Draw): Item[] {
  const rest = [...items]
  const order: Item[] = []
  while (rest.length > 0) order.push(...rest.splice(draw(rest.length), 1))
  return order
}
