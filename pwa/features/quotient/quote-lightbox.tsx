import { type PointerEvent, useEffect, useEffectEvent, useRef } from 'react'
import { IconButton } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { quotePicture } from './quote-picture.ts'
import './quote-lightbox.css'

type Props = { pictures: readonly string[]; shown: number | null; onShow: (place: number | null) => void }

/** A finger that moves further than this sideways means the next one. */
const swipePx = 48

/** One sample quote whole; arrows, their keys and a swipe lead to the others. */
function QuoteLightbox({ pictures, shown, onShow }: Props) {
  const place = shown ?? 0
  const says = pictures[place]
  const step = (by: number) => onShow((place + by + pictures.length) % pictures.length)
  useArrowKeys(shown !== null, step)
  const swipe = useSwipe(step)
  return (
    <Dialog isOpen={shown !== null} onClose={() => onShow(null)} title="Sample quotes" isWide>
      <figure className="quoteshow" {...swipe}>
        <img src={quotePicture(place)} alt={`Sample quote: ${says}`} width={600} height={800} draggable={false} />
        <figcaption>
          <IconButton icon="back" label="Previous example" onClick={() => step(-1)} />
          <p role="status">
            <b>
              {place + 1} of {pictures.length}
            </b>{' '}
            {says}
          </p>
          <IconButton icon="arrow" label="Next example" onClick={() => step(1)} />
        </figcaption>
      </figure>
    </Dialog>
  )
}

function useArrowKeys(isOpen: boolean, step: (by: number) => void) {
  const press = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') step(-1)
    if (key === 'ArrowRight') step(1)
  })
  useEffect(() => {
    if (!isOpen) return
    const listener = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [isOpen])
}

function useSwipe(step: (by: number) => void) {
  const from = useRef<number | null>(null)
  return {
    onPointerDown: ({ clientX, pointerType }: PointerEvent) => {
      from.current = pointerType === 'mouse' ? null : clientX
    },
    onPointerUp: ({ clientX }: PointerEvent) => {
      const moved = from.current === null ? 0 : clientX - from.current
      from.current = null
      if (Math.abs(moved) > swipePx) step(moved < 0 ? 1 : -1)
    },
  }
}

export default QuoteLightbox
