import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '#api/context.ts'
import { copyAgeSeconds } from '#api/copies/age.ts'
import type { Meter } from '#api/meter.ts'
import { readMeasures } from './measures.ts'

/** A meter, and what it and the database say now in Prometheus' text format. */
export type OpenMeter = Meter & { contentType: string; scrape(ctx: Context): Promise<string> }

const requestSeconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Every metric's name begins with `alliance_`. docs/watching.md lists them. */
export function openMeter(): OpenMeter {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Histogram({
    registers,
    name: 'alliance_http_request_duration_seconds',
    help: 'Requests by route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: requestSeconds,
  })
  const providerCalls = new Histogram({
    registers,
    name: 'alliance_provider_call_duration_seconds',
    help: 'Calls to Stripe by status.',
    labelNames: ['status'] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  })
  const rejected = new Counter({
    registers,
    name: 'alliance_sync_rejected_changes_total',
    help: 'Changes from phones that were refused.',
  })
  const slow = new Counter({
    registers,
    name: 'alliance_slow_queries_total',
    help: 'Queries that took over 100 ms. The log names them.',
  })
  const pushes = new Counter({
    registers,
    name: 'alliance_pushes_total',
    help: 'Notices to phones by what came of them.',
    labelNames: ['outcome'] as const,
  })
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const gauges = openGauges(registers)
  return {
    contentType: registry.contentType,
    responded: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    askedProvider: ({ status, seconds }) => providerCalls.observe({ status }, seconds),
    rejectedChanges: (count) => rejected.inc(count),
    slowQuery: () => slow.inc(),
    pushed: (outcome) => pushes.inc({ outcome }),
    async scrape(ctx) {
      // First, since it asks the store: what’s below is of one moment.
      const copyAge = await copyAgeSeconds(ctx)
      // In nanoseconds, since the last scrape. It measures from one tick to the next, so a tick's own length comes off.
      const lag = delay.max / 1e9 - 0.02
      delay.reset()
      const measures = { ...readMeasures(ctx), copy_age_seconds: copyAge }
      gauges.set({ ...measures, event_loop_lag_seconds: Math.max(0, Number.isFinite(lag) ? lag : 0) })
      return registry.metrics()
    },
  }
}

type Sample = number | null | Record<string, number | null>

/** Gauges by name, made when they're first set. What's null isn't shown. */
function openGauges(registers: Registry[]) {
  const gauges = new Map<string, Gauge<'of'>>()
  const gaugeOf = (name: string) => {
    const known = gauges.get(name)
    if (known !== undefined) return known
    const made = new Gauge({
      registers,
      name: `alliance_${name}`,
      help: name.replaceAll('_', ' '),
      labelNames: ['of'] as const,
    })
    gauges.set(name, made)
    return made
  }
  return {
    set(samples: Record<string, Sample>): void {
      for (const [name, sample] of Object.entries(samples)) {
        const gauge = gaugeOf(name)
        gauge.reset()
        if (typeof sample === 'number') gauge.set(sample)
        else for (const [of, value] of Object.entries(sample ?? {})) if (value !== null) gauge.set({ of }, value)
      }
    },
  }
}
