import { type PointerEvent, useEffect, useEffectEvent, useRef } from 'react'
import { IconButton } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import './quote-dialog.css'

export type QuotePicture = { src: string; text: string }

type Props = {
  pictures: readonly QuotePicture[]
  openIndex: number | null
  onChange: (openIndex: number | null) => void
}

function QuoteDialog({ pictures, openIndex, onChange }: Props) {
  const index = openIndex ?? 0
  const picture = pictures[index]
  const step = (by: number) => onChange((index + by + pictures.length) % pictures.length)
  useArrowKeys(openIndex !== null, step)
  const swipe = useSwipe(step)
  return (
    <Dialog isOpen={openIndex !== null} onClose={() => onChange(null)} title="Sample quotes" isWide>
      <figure className="quoteshow" {...swipe}>
        <img src={picture?.src} alt={`Sample quote: ${picture?.text}`} width={600} height={800} draggable={false} />
        <figcaption>
          <IconButton icon="back" label="Previous example" onClick={() => step(-1)} />
          <p role="status">
            <b>
              {index + 1} of {pictures.length}
            </b>{' '}
            {picture?.text}
          </p>
          <IconButton icon="arrow" label="Next example" onClick={() => step(1)} />
        </figcaption>
      </figure>
    </Dialog>
  )
}

function useArrowKeys(isOpen: boolean, step: (by: number) => void) {
  const onKeyDown = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') step(-1)
    if (key === 'ArrowRight') step(1)
  })
  useEffect(() => {
    if (!isOpen) return
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [isOpen])
}

/** A finger that moves further than this sideways is a swipe. */
const swipePx = 48

function useSwipe(step: (by: number) => void) {
  const startX = useRef<number | null>(null)
  return {
    onPointerDown: ({ clientX, pointerType }: PointerEvent) => {
      startX.current = pointerType === 'mouse' ? null : clientX
    },
    onPointerUp: ({ clientX }: PointerEvent) => {
      const moved = startX.current === null ? 0 : clientX - startX.current
      startX.current = null
      if (Math.abs(moved) > swipePx) step(moved < 0 ? 1 : -1)
    },
  }
}

export default QuoteDialog
