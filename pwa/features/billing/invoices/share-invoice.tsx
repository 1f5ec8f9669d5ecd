import { useState } from 'react'
import { Button } from '#pwa/ui/button.tsx'
import { readCopy } from './invoice-storage.ts'

const pdfOf = (name: string, blob: Blob) => new File([blob], `${name}.pdf`, { type: 'application/pdf' })

const canShare = () => navigator.canShare?.({ files: [pdfOf('invoice', new Blob())] }) === true

/** Hands the invoice to another app of the phone, such as WhatsApp. A browser that can't has the download beside it. */
export function ShareInvoice({ path, name }: { path: string; name: string }) {
  const [isBusy, setBusy] = useState(false)
  if (!canShare()) return null
  const share = async () => {
    setBusy(true)
    try {
      const blob = (await readCopy(path)) ?? (await (await fetch(path)).blob())
      await navigator.share({ files: [pdfOf(name, blob)] })
    } catch (error) {
      // Closing the phone's own sheet is an answer too.
      if (!(error instanceof DOMException && error.name === 'AbortError'))
        Object.assign(document.createElement('a'), { href: path, download: `${name}.pdf` }).click()
    }
    setBusy(false)
  }
  return (
    <Button look="bare" isSmall icon="share" isBusy={isBusy} busyLabel="Fetching…" onClick={() => void share()}>
      Share <span className="vh">{name}</span>
    </Button>
  )
}
