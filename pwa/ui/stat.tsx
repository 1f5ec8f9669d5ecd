import type { ReactNode } from 'react'
import './styles/stat.css'

/** A figure over its label, without a box. */
export const Stat = ({ figure, label }: { figure: ReactNode; label: ReactNode }) => (
  <p className="stat">
    <span className="fig">{figure}</span>
    <span className="label">{label}</span>
  </p>
)
