import type { ReactNode } from 'react'

/** What holds now, in large, and the sentence to it. */
export const WelcomeHead = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="purchase__part">
    <h1 className="purchase__title">{title}</h1>
    <p className="lead">{children}</p>
  </div>
)
