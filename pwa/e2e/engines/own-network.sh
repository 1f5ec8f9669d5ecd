#!/bin/sh
# Node in a network of its own, whose signal can be lost and come back. The runner starts its workers with it.
inside='
  ip link set lo up
  ip link add signal type dummy 2>/dev/null || ip link add signal type bridge
  ip address add 192.0.2.2/24 dev signal
  ip link set signal up
  ip route add default dev signal && export OWN_NETWORK=1
  exec "$0" "$@"'
for option in -n -rn; do
  unshare "$option" true 2>/dev/null && exec unshare "$option" sh -c "$inside" "$NODE" "$@"
done
exec "$NODE" "$@"
