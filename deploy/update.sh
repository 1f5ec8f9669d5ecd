#!/bin/sh
# Updates the container to another tag, and goes back if the site isn't ready: deploy/update.sh TAG
# Run it on the host, in the folder with compose.yml. The image has to be there: docs/hosting.md says how to build it.
#
# Nobody notices: the new tag starts beside the site as `next`, waits for the site to end and keeps the requests that come. Then the
# `site` is started from the same tag, and takes over from it in the same way.
set -eu
# A lost connection must not leave it half done.
trap '' HUP
tag=${1:?Name the tag: deploy/update.sh TAG}
cd "$(dirname "$0")"
compose="${COMPOSE:-docker compose} --profile update"
before=$(sed -n 's/^ALLIANCE_TAG=//p' .env)
before=${before:-slim}

# From Caddy too, which may not reach the new container yet. With a proxy of your own there's no Caddy to ask.
is_ready() {
  $compose exec -T "$1" alliance-ready || return 1
  $compose exec -T caddy true || return 0
  $compose exec -T caddy timeout 5 bash -c "exec 3<> /dev/tcp/$2/3000
    printf 'GET /ready HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\r\n' >&3
    head -n 1 <&3 | grep -q ' 200'"
}

waits() { $compose logs --no-log-prefix --tail 20 "$1" | grep -qE '^(waiting for|ready )'; }

has_ended() { $compose ps --all --status exited --services | grep -qx "$1"; }

# `until_so QUESTION SERVICE …`: false if it takes too long, or the service has ended.
until_so() {
  tries=0
  until "$@" > /dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt "${PATIENCE:-300}" ] || return 1
    ! has_ended "$2" 2> /dev/null || return 1
    sleep 0.2
  done
}

name_tag() {
  rm -f .env.new
  (umask 077 && { grep -v '^ALLIANCE_TAG=' .env || true; echo "ALLIANCE_TAG=$1"; } > .env.new)
  mv .env.new .env
}

# `hand_over FROM TO ADDRESS`: starts TO, and ends FROM once TO waits for it.
hand_over() {
  $compose up -d --no-deps --force-recreate "$2" || return 1
  until_so waits "$2" || return 1
  $compose stop "$1" || return 1
  until_so is_ready "$2" "$3"
}

go_back() {
  echo "$tag isn’t ready, so we go back to $before. What it said last:" >&2
  $compose logs --tail 5 next site >&2 || true
  name_tag "$before"
  $compose rm --stop --force next || true
  $compose up -d --no-deps site || true
  until_so is_ready site 172.30.7.3 || echo "$before isn’t ready either. See: $compose logs site" >&2
  exit 1
}

echo "Backing up …"
# A damaged film is named and left out. The rest is backed up, so it doesn’t stop the update.
$compose exec -T site alliance backup create --media-apart --json | grep -q '"file"' || {
  echo "There’s no backup, so we didn’t update." >&2
  exit 1
}
echo "Starting $tag. If it isn’t ready within two minutes or so, we go back to $before."
name_tag "$tag"
hand_over site next 172.30.7.4 || go_back
hand_over next site 172.30.7.3 || go_back
$compose rm --stop --force next > /dev/null || true
echo "Updated from $before to $tag."
