import { Icon } from './icon.tsx'
import './styles/stepper.css'

type Props = { label: string; steps: readonly string[]; current: number }

/** Steps in order on one run of pipe; `current` counts from 0, and `steps.length` means all are done. */
export const Stepper = ({ label, steps, current }: Props) => (
  <ol className="steps" aria-label={`${label}, step ${Math.min(current + 1, steps.length)} of ${steps.length}`}>
    {steps.map((step, index) => (
      <li
        key={step}
        className={index < current ? 'is-done' : undefined}
        aria-current={index === current ? 'step' : undefined}
      >
        {index < current && <Icon name="tick" />}
        {step}
        {index < current && <span className="vh"> (done)</span>}
      </li>
    ))}
  </ol>
)
