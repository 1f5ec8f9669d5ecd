import type { ReactNode } from 'react'
import './styles/stat.css'

export const Stat = ({ figure, label }: { figure: ReactNode; label: ReactNode }) => (
  <p className="stat">
    <span className="fig">{figure}</span>
    <span className="label">{label}</span>
  </p>
)
