import { type ReactNode, useId } from 'react'

type Props = {
  name: string
  says?: string
  /** Laid out for a page's width, so always one below the other. */
  isWide?: boolean
  children: ReactNode
}

/** A part in daylight and in the cellar, side by side; on a phone one below the other. */
export function Specimen({ name, says, isWide, children }: Props) {
  const id = useId()
  return (
    <section className="specimen" aria-labelledby={id}>
      <h3 id={id}>{name}</h3>
      {says && <p className="second">{says}</p>}
      <div className={isWide ? 'specimen__both' : 'specimen__pair'}>
        <div className="ground ground--day">{children}</div>
        <div className="ground ground--night">{children}</div>
      </div>
    </section>
  )
}

export const Group = ({ name, children }: { name: string; children: ReactNode }) => (
  <section className="group" id={name.toLowerCase().replaceAll(' ', '-')}>
    <h2>{name}</h2>
    {children}
  </section>
)

export const Flow = ({ children }: { children: ReactNode }) => <div className="flow">{children}</div>
