import { classNames } from './class-names.ts'

type Props = { size?: 'line' | 'title' | 'figure' | 'block' | 'button'; isShort?: boolean; className?: string }

export const Skeleton = ({ size = 'line', isShort, className }: Props) => (
  <span
    className={classNames('skeleton', `skeleton--${size}`, isShort && 'skeleton--short', className)}
    aria-hidden="true"
  />
)
