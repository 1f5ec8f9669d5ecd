import { renderToString } from 'ink'
import type { FC } from 'react'

/** A view as text for a terminal of that width. Nothing is live: a report is drawn once and stays in the scroll. */
export const draw = <Props extends { width: number }>(View: FC<Props>, props: Props): string =>
  renderToString(<View {...props} />, { columns: props.width })
