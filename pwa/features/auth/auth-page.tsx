import { type ReactNode, useEffect, useRef } from 'react'
import './auth.css'

type Props = {
  title: string
  lead?: ReactNode
  /** It replaced another screen without a route change, so its heading takes the focus. */
  isNext?: boolean
  children: ReactNode
}

export function AuthPage({ title, lead, isNext = false, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isNext) heading.current?.focus()
  }, [isNext])
  return (
    <section className="page-section">
      <div className="wrap">
        <p className="page-section__no">Members</p>
        <div className="page-section__head">
          <h1 className="auth__title" ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="lead">{lead}</p>}
        </div>
        <div className="auth">{children}</div>
      </div>
    </section>
  )
}
