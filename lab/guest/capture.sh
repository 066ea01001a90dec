# shellcheck shell=sh # for steps: . "$LAB_FOLDER/guest/capture.sh"
# Packets of RoCE on the switch, captured into the file $capture, which the step sets.

# shellcheck disable=SC2154 # set by the step
start_capture() {
  # Trains of packets are split before they leave the host, as on a real cable.
  ip -n soft link set eth0 gso_max_segs 1 || return
  ip netns exec switch tcpdump -Z root -U -i switch -s 0 -w "$capture" udp port 4791 2>"$capture.log" &
  dump=$!
  await 'tcpdump listens' grep -q listening "$capture.log"
}

stop_capture() {
  sleep 1 # for the last packets
  kill "$dump"
  wait "$dump" 2>/dev/null
  ip -n soft link set eth0 gso_max_segs 65535
}

# Whether tshark finds at least $1 packets, and none of them malformed.
is_well_formed() {
  tshark -r "$capture" -Y infiniband >"$capture.txt" || return
  echo "$(wc -l <"$capture.txt") packets"
  [ "$(wc -l <"$capture.txt")" -ge "$1" ] || return
  tshark -r "$capture" -Y '_ws.malformed || _ws.expert.severity == error' >"$capture.bad" || return
  cat "$capture.bad"
  [ ! -s "$capture.bad" ]
}
