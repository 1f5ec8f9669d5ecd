import { type ReactNode, useId } from 'react'

export function WalletPart({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="sheet account__sheet" aria-labelledby={id}>
      <h2 className="panel__title" id={id}>
        {title}
      </h2>
      {children}
    </section>
  )
}
