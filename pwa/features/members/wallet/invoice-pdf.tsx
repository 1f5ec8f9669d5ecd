import { useEffect, useState } from 'react'
import { readCopy } from '#pwa/features/billing/invoices/invoice-storage.ts'
import { ShareInvoice } from '#pwa/features/billing/invoices/share-invoice.tsx'
import { ButtonAnchor } from '#pwa/ui/button.tsx'

type Props = {
  path: string
  name: string
  hasSignal: boolean
  /** Whether this phone has finished fetching, or given up. */
  isSettled: boolean
}

/** Saves the phone's own copy, so that it works without signal. One that isn't here comes from the server. */
export function InvoicePdf({ path, name, hasSignal, isSettled }: Props) {
  /** Null: there's none. */
  const [copy, setCopy] = useState<string | null>()
  useEffect(() => {
    if (!isSettled) return
    let address: string | null = null
    let isOver = false
    const read = async () => {
      const blob = await readCopy(path)
      if (isOver) return
      address = blob && URL.createObjectURL(blob)
      setCopy(address)
    }
    // Without a copy the link leads to the server.
    read().catch(() => setCopy(null))
    return () => {
      isOver = true
      if (address !== null) URL.revokeObjectURL(address)
      setCopy(undefined)
    }
  }, [path, isSettled])
  // Such as one beyond the newest two years.
  if (copy === null && !hasSignal) return <span className="second">PDF needs signal</span>
  return (
    <>
      <ButtonAnchor look="line" isSmall icon="down" href={copy ?? path} download={`${name}.pdf`}>
        PDF <span className="vh">of {name}</span>
      </ButtonAnchor>
      <ShareInvoice path={path} name={name} />
    </>
  )
}
