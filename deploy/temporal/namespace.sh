#!/bin/sh
# Creates the namespace, or gives it the retention asked for, and waits until the server knows it everywhere it has to.
# Needs TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and RETENTION (how long closed workflows stay, e.g. 720h).
set -eu

tries=60

# until_done <what> <command...>: repeats the command until it succeeds.
until_done() {
  what=$1
  shift
  left=$tries
  until "$@" >/dev/null 2>/tmp/said; do
    left=$((left - 1))
    if [ "$left" -eq 0 ]; then
      echo "$what: in vain after $tries tries: $(tail -n 1 /tmp/said)" >&2
      exit 1
    fi
    sleep 1
  done
  echo "$what: done"
}

create_or_update() {
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION" ||
    temporal operator namespace update --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
}

until_done 'server' temporal operator cluster health
until_done "namespace $TEMPORAL_NAMESPACE, retention $RETENTION" create_or_update
# The server's own caches learn of a new namespace some seconds later.
until_done 'namespace known' temporal workflow count --namespace "$TEMPORAL_NAMESPACE"
