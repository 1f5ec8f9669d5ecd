import type { ReactNode } from 'react'

/** What holds now, in large, and the sentence to it. */
export const WelcomeHead = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="join__part">
    <h1 className="join__title">{title}</h1>
    <p className="lead">{children}</p>
  </div>
)
