// Loaded lazily by path: see client.ts.
export { default } from 'stripe'
