import type { OutsideNetwork } from '#api/outside-request.ts'

/** A certificate for `outside.example`, valid for a hundred years. Only these tests trust it. */
const authority = `-----BEGIN CERTIFICATE-----
MIIBpzCCAU2gAwIBAgIUTAF/OlVRLS38cbZz71q6FGLRPv4wCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPb3V0c2lkZS5leGFtcGxlMCAXDTI2MTEyMjAwNTAyNVoYDzIx
MjYxMDI5MDA1MDI1WjAaMRgwFgYDVQQDDA9vdXRzaWRlLmV4YW1wbGUwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAASK5YuyF3cE1DdLY196tlGhJz3jPL9X9JFcCEbH
A/+GAtJvh7CffnoetzRAcPh7R06gFqgJ72jHrsh33zO/hd2Mo28wbTAdBgNVHQ4E
FgQUrzhrO/0BgivrDFjv7BDgneWDy2gwHwYDVR0jBBgwFoAUrzhrO/0BgivrDFjv
7BDgneWDy2gwDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgg9vdXRzaWRlLmV4
YW1wbGUwCgYIKoZIzj0EAwIDSAAwRQIgNdxyPCWM2n+9Gn06nCWsNqKY9/Ftam4N
9N5yUAHBX7YCIQCQo/sJNRet/w77TO7+Og53kBbT3ojl3Z7cJFgcjp/A1A==
-----END CERTIFICATE-----
`
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgkhj45JUsNss9JETu
0qN3wl8DgvF5HP7pJcgZMBIZBt+hRANCAASK5YuyF3cE1DdLY196tlGhJz3jPL9X
9JFcCEbHA/+GAtJvh7CffnoetzRAcPh7R06gFqgJ72jHrsh33zO/hd2M
-----END PRIVATE KEY-----
`

export type OutsideServer = {
  /** Every name resolves to it, and counts as public. */
  network: OutsideNetwork
  at(path: string): string
  stop(): void
}

/** Another site, over https, at `outside.example`. */
export function startOutside(fetch: (request: Request) => Response | Promise<Response>): OutsideServer {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', tls: { cert: authority, key }, fetch })
  return {
    network: { resolve: async () => ['127.0.0.1'], isPublic: () => true, authority },
    at: (path) => `https://outside.example:${server.port}${path}`,
    stop: () => void server.stop(true),
  }
}
