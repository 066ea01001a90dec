#!/bin/sh
# Makes the sequence diagrams of the guide from traces of real runs: docs/guide/pictures.sh [NAME...]
set -eu
cd "$(dirname "$0")/../.."
folder=docs/guide
address=127.53.7.1
traces=$(mktemp -d)
trap 'rm -rf "$traces"' EXIT
./verbena --version >/dev/null # builds what is needed

# picture NAME TITLE 'SERVER ARGUMENTS' 'CLIENT ARGUMENTS' 'SEQUENCE OPTIONS'
picture() {
  case " $wanted " in "  " | *" $1 "*) ;; *) return 0 ;; esac
  # shellcheck disable=SC2086 # arguments are split into words
  ./verbena $3 --trace-file "$traces/server" >"$traces/log" 2>&1 &
  server=$!
  tries=0
  # shellcheck disable=SC2086
  until ./verbena $4 --trace-file "$traces/client" >>"$traces/log" 2>&1; do
    tries=$((tries + 1))
    if [ "$tries" -gt 20 ]; then
      kill "$server" 2>/dev/null || true
      cat "$traces/log" >&2
      exit 1
    fi
    sleep 1 # the server is not there yet
  done
  wait "$server" || true
  # shellcheck disable=SC2086
  ./verbena sequence "$traces/client" "$traces/server" -o "$folder/$1.svg" --title "$2" $5
  echo "$folder/$1.svg"
}

wanted="$*"
once="--once --device $address"
picture connection 'A connection comes about' "ping $once" "ping $address -c 1" '--part connection'
picture ping 'Ping-pong: SEND and RECEIVE' "ping $once" "ping $address -c 2" '--part transfer'
picture waiting 'Asleep between completions' "ping $once --wait notify" "ping $address -c 2 --wait notify" \
  '--part transfer --show ibv_req_notify,ibv_get_cq'
picture copy 'copy: tell, WRITE, READ' "copy $once" "copy $address" '--part transfer'
picture exchange 'exchange: both tell, both WRITE, both are DONE' "exchange $once" "exchange $address --mode write" \
  '--part transfer'
picture rping 'rping: the server READs and WRITEs' "rping -s -a $address" "rping -c -a $address -C 1" '--part transfer'
picture blast 'blast: messages one way, credits the other' "blast $once" "blast $address -c 12" '--part transfer'
