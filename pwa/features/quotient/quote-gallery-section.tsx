import { lazy, type MouseEvent, Suspense, useState } from 'react'
import { Button } from '#pwa/ui/button.tsx'
import { Picture, usePictureAddresses } from '#pwa/ui/picture.tsx'
import type { QuotePicture } from './quote-dialog.tsx'

const QuoteDialog = lazy(() => import('./quote-dialog.tsx'))

/** The sample quotes; a press enlarges one. Without JavaScript each is a link to its picture. */
export function QuoteGallery({ pictures: texts }: { pictures: readonly string[] }) {
  const addressOf = usePictureAddresses()
  const pictures = texts.map((text, index): QuotePicture => ({ src: addressOf(`quote-${index + 1}`), text }))
  const [openIndex, setOpenIndex] = useState<number | null>(null)
  const [wasOpened, setOpened] = useState(false)
  const open = (index: number) => (event: MouseEvent) => {
    event.preventDefault()
    setOpened(true)
    setOpenIndex(index)
  }
  return (
    <>
      <ul className="quotes">
        {pictures.map(({ src, text }, index) => (
          <li key={text}>
            <a href={src} aria-haspopup="dialog" onClick={open(index)}>
              <Picture name={`quote-${index + 1}`} alt={`Sample quote: ${text}`} width={600} height={800} />
            </a>
          </li>
        ))}
      </ul>
      <Button look="line" icon="eye" aria-haspopup="dialog" onClick={open(0)}>
        View More Examples
      </Button>
      {wasOpened && (
        <Suspense>
          <QuoteDialog pictures={pictures} openIndex={openIndex} onChange={setOpenIndex} />
        </Suspense>
      )}
    </>
  )
}
