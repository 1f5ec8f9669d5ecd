import { lazy, type MouseEvent, Suspense, useState } from 'react'
import { Button } from '#pwa/ui/button.tsx'
import { quotePicture } from './quote-picture.ts'

const QuoteLightbox = lazy(() => import('./quote-lightbox.tsx'))

/** Six sample quotes; a press shows one whole. Without JavaScript each is a link to its picture. */
export function QuoteGallery({ pictures }: { pictures: readonly string[] }) {
  /** The place of the one that is shown whole. */
  const [shown, show] = useState<number | null>(null)
  const [wasOpened, setOpened] = useState(false)
  const open = (place: number) => (event: MouseEvent) => {
    event.preventDefault()
    setOpened(true)
    show(place)
  }
  return (
    <>
      <ul className="quotes">
        {pictures.map((says, place) => (
          <li key={says}>
            <a href={quotePicture(place)} aria-haspopup="dialog" onClick={open(place)}>
              <img
                className="picture"
                src={quotePicture(place)}
                alt={`Sample quote: ${says}`}
                width={600}
                height={800}
                loading="lazy"
                decoding="async"
              />
            </a>
          </li>
        ))}
      </ul>
      <Button look="line" icon="eye" aria-haspopup="dialog" onClick={open(0)}>
        View More Examples
      </Button>
      {wasOpened && (
        <Suspense>
          <QuoteLightbox pictures={pictures} shown={shown} onShow={show} />
        </Suspense>
      )}
    </>
  )
}
