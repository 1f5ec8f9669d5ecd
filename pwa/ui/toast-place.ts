/** A part of the screen, in pixels from its top left corner. */
export type Box = { left: number; top: number; right: number; bottom: number }

/**
 * `isLarge`: a whole section's heading, which still works if a message covers part of it; `isBar`: stays where it is on screen when
 * the page makes room.
 */
type Target = Box & { isLarge?: boolean; isBar?: boolean }

type Screen = {
  /** Where a message may go. */
  area: Box
  targets: readonly Target[]
  /** Lines of text, which a message may cover if there's no other place. */
  lines: readonly Box[]
  /** The row pressed last: the person has read what's above it, and reads what's below it next. */
  pressed: { top: number; bottom: number }
}

type Size = { width: number; height: number }

/** Kept free around anything pressable, so that a thumb next to the message doesn't miss. */
const gap = 4

/**
 * A place where a message covers nothing pressable and as little text as possible, preferably text already read. Of equal places,
 * the rightmost, then the lowest. If there's none, the place that covers least, and large targets before small ones.
 */
export function freePlace(screen: Screen, { width, height }: Size): Box {
  const { area, targets, lines } = screen
  const edges = [...targets, ...lines].flatMap(({ top, bottom }) => [
    bottom + gap,
    bottom + gap - 1,
    top - gap - height,
  ])
  const tops = [area.bottom - height, area.top, ...edges].filter(
    (top) => top >= area.top && top + height <= area.bottom,
  )
  const lefts = [Math.max(area.left, area.right - width), area.left]
  const boxes = [...new Set(tops)].flatMap((top) =>
    lefts.map((left): Box => ({ left, top, right: left + width, bottom: top + height })),
  )
  const [first = { left: area.left, top: area.top, right: area.left + width, bottom: area.top + height }] = boxes
  return boxes.reduce(
    (best, box) => {
      const cost = costOf(screen, box)
      return cost < best.cost ? { box, cost } : best
    },
    { box: first, cost: costOf(screen, first) },
  ).box
}

/** The room a message needs between two sections, including the gaps on both sides. */
export const roomFor = ({ height }: Size) => Math.ceil(height) + 2 * gap

/** The top of the lowest section that can move down by that room, so that the message is above it and not under a bar. */
export function sectionToMove({ area, targets }: Screen, size: Size): number | undefined {
  const bars = targets.filter(({ isBar }) => isBar)
  const isFree = (top: number) => {
    const box = { left: area.left, right: area.right, top, bottom: top + roomFor(size) }
    return top >= area.top - gap && box.bottom <= area.bottom + gap && bars.every((bar) => overlap(bar, box) === 0)
  }
  const tops = targets.filter(({ isLarge }) => isLarge).map(({ top }) => top)
  return tops.filter(isFree).sort((one, other) => other - one)[0]
}

/** How much it covers of anything pressable, plus how much of it is off the screen, in square pixels. */
export function coveredBy({ area, targets }: Screen, box: Box): number {
  const off = (box.right - box.left) * (box.bottom - box.top) - overlap(area, box)
  return off + sumOf(targets, box, () => 1)
}

const sumOf = (targets: readonly Target[], box: Box, weigh: (target: Target) => number) =>
  targets.reduce((sum, target) => sum + overlap(grown(target), box) * weigh(target), 0)

/** A target outweighs all text, and a line of text outweighs some hundred pixels of distance. */
function costOf(screen: Screen, box: Box): number {
  const weigh = (line: Box) => (line.bottom <= screen.pressed.top ? 1 : line.top < screen.pressed.bottom ? 3 : 8)
  const text = screen.lines.reduce((sum, line) => sum + overlap(line, box) * weigh(line), 0)
  const targets = sumOf(screen.targets, box, ({ isLarge }) => (isLarge ? 1e3 : 1e6))
  return targets + text + (screen.area.bottom - box.bottom + screen.area.right - box.right) * 4
}

const overlap = (one: Box, other: Box) =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top))

/** One pixel less than the gap, because places are rounded. */
const grown = ({ left, top, right, bottom }: Box): Box => ({
  left: left - gap + 1,
  top: top - gap + 1,
  right: right + gap - 1,
  bottom: bottom + gap - 1,
})

/** They're fixed, and count in full, because they're on top of the message. */
const bars = 'dialog[open],nav,.viewing,.notices>*,.consent'
const pressable = `a[href],button,input,select,textarea,summary,label,iframe,video[controls],audio[controls],[role=option],${bars}`

/** What the page shows now, apart from the message itself. */
export function readScreen(message: HTMLElement, pressed: EventTarget | null): Screen {
  const area = areaFor(message)
  const isSeen = ({ top, bottom, left, right }: Box) =>
    right > left && bottom > top && bottom > area.top && top < area.bottom && right > area.left && left < area.right
  const isShown = (element: Element) =>
    !message.contains(element) &&
    element.getClientRects().length > 0 &&
    getComputedStyle(element).visibility === 'visible'
  const targets = [...document.querySelectorAll(pressable)].flatMap((element) =>
    isSeen(element.getBoundingClientRect()) && isShown(element)
      ? Array.from(element.getClientRects(), (box) => toTarget(box, element))
      : [],
  )
  return { area, targets, lines: linesOf(isSeen, isShown), pressed: rowOf(pressed) }
}

function toTarget({ left, top, right, bottom }: DOMRect, element: Element): Target {
  return { left, top, right, bottom, isLarge: element.localName === 'summary', isBar: element.matches(bars) }
}

function areaFor(message: HTMLElement): Box {
  const style = getComputedStyle(message)
  const margin = (side: string) => Number.parseFloat(style.getPropertyValue(`scroll-margin-${side}`)) || 0
  // An on-screen keyboard leaves less of it.
  const { offsetTop = 0, height = window.innerHeight } = window.visualViewport ?? {}
  const { clientWidth } = document.documentElement
  return {
    left: margin('left'),
    top: offsetTop + margin('top'),
    right: clientWidth - margin('right'),
    bottom: offsetTop + height - margin('bottom'),
  }
}

function linesOf(isSeen: (box: Box) => boolean, isShown: (element: Element) => boolean): Box[] {
  // A receipt is read as a whole.
  const lines: Box[] = Array.from(document.querySelectorAll('.slip'), (slip) => slip.getBoundingClientRect())
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  while (texts.nextNode()) {
    const text = texts.currentNode
    const parent = text.parentElement
    if (!parent || !text.nodeValue?.trim() || !isSeen(parent.getBoundingClientRect()) || !isShown(parent)) continue
    range.selectNodeContents(text)
    lines.push(...[...range.getClientRects()].filter(isSeen))
  }
  return lines
}

function rowOf(pressed: EventTarget | null): Screen['pressed'] {
  if (!(pressed instanceof Element) || !pressed.isConnected) return { top: 0, bottom: 0 }
  return (pressed.closest('li, tr') ?? pressed).getBoundingClientRect()
}
