import { execFileSync } from 'node:child_process'

/** Whether this process has a network of its own, whose signal it may take away: `own-network.sh`. */
const hasOwnNetwork = process.env.OWN_NETWORK === '1'

/** The machine's own signal, which WebKit and Chromium listen to. Without a network of its own nothing happens. */
export function setMachineSignal(isThere: boolean): void {
  if (!hasOwnNetwork) return
  const steps = isThere
    ? ['link set signal up', 'route replace default dev signal']
    : ['route flush default', 'link set signal down']
  for (const step of steps) execFileSync('/sbin/ip', step.split(' '))
}
