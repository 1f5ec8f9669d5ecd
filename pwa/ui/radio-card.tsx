import type { ComponentProps, ReactNode } from 'react'
import './styles/radio-card.css'

type CardProps = Omit<ComponentProps<'input'>, 'type' | 'title'> & {
  title: ReactNode
  second?: ReactNode
  /** A price or count at the end of the row. */
  figure?: ReactNode
}

/** One choice of a RadioCards group; the chosen one is the yellow copy. */
export const RadioCard = ({ title, second, figure, className, ...rest }: CardProps) => (
  <label className={className ? `radio ${className}` : 'radio'}>
    <input {...rest} type="radio" />
    <span>
      <b>{title}</b>
      {second && (
        <>
          <br />
          <span className="second">{second}</span>
        </>
      )}
    </span>
    {figure && <span className="num">{figure}</span>}
  </label>
)

export const RadioCards = ({ label, children }: { label: string; children: ReactNode }) => (
  <div role="radiogroup" aria-label={label}>
    {children}
  </div>
)
