# shellcheck shell=sh disable=SC2034,SC2154 # for steps about rping: . "$LAB_FOLDER/guest/rping.sh"
# Our rping against the unmodified C program, every byte compared by the client, and by our server. The C program is always on the kernel's device
# rxe0; ours on one of two: the software device in its namespace, or the kernel's rxe1 by the native provider.

c_address=10.77.0.1
verbena=${LAB_FOLDER%/*}/verbena

# More options for our clients.
client_options=''

# Sets what stands for our side: $1 is soft or native.
use_device() {
  case $1 in
    soft) namespace=soft our_address=10.77.0.3 options='--provider soft' device='software device' ;;
    native) namespace=first our_address=10.77.0.2 options='--provider rdmacore' device='rxe through rdma-core' ;;
  esac
}

# Becomes our rping with these arguments, on the host that has our device; call it in a subshell or in the background,
# where $! is then the program itself, and not a shell that would leave it behind when it is killed.
our_rping() {
  # shellcheck disable=SC2086 # options are split into words
  exec nsenter "--net=/run/netns/$namespace" "$verbena" rping $options --timeout 60 "$@"
}

# Waits until file $1 has a line with $2.
await_line() {
  for _ in $(seq 240); do
    ! grep -q "$2" "$1" 2>/dev/null || return 0
    sleep 0.25
  done
  echo "no line with \"$2\" in 60 s:"
  cat "$1"
  return 1
}

# C clients of one server of ours; $1: how to run them, one after the other (each) or at once (all), $2: pings,
# $3: what else to write down, $4...: sizes.
serve_c_clients() {
  order=$1 pings=$2 remark=$3
  shift 3
  log=$(mktemp)
  our_rping -s -P -V -a "$our_address" >"$log" 2>&1 &
  server=$!
  if await_line "$log" listens; then
    clients=''
    for size; do
      attempt 'C rping' rping 'C client, our server' "$device" "$pings pings of $size bytes$remark" \
        timeout 450 rping -c -I "$c_address" -a "$our_address" -S "$size" -C "$pings" -V &
      clients="$clients $!"
      [ "$order" = all ] || wait "$!"
    done
    # shellcheck disable=SC2086 # a list of processes
    wait $clients
  fi
  kill "$server"
  wait "$server" 2>/dev/null
  sed 's/^/our server: /' "$log"
}

# One client of ours and a C server for it; $1: address to connect from, $2: port, $3: size, $4: pings.
meet_c_server() {
  timeout 460 rping -s -a "$c_address" -p "$2" -S "$3" -C "$4" -V &
  server=$!
  sleep 1
  # shellcheck disable=SC2086 # options are split into words
  if (our_rping -c -I "$1" -a "$c_address" -p "$2" -S "$3" -C "$4" -V $client_options); then
    wait "$server"
  else
    kill "$server" 2>/dev/null
    return 1
  fi
}

# Clients of ours, each with a C server; arguments as for serve_c_clients. Those that run at once have a port each, and
# on the software device an address each: it belongs to one process.
meet_c_servers() {
  order=$1 pings=$2 remark=$3
  shift 3
  port=7200
  [ "$namespace" = first ] || port=7210
  clients=''
  for size; do
    from=$our_address
    [ "$namespace" = first ] || from=10.77.0.$((port - 7206))
    attempt 'C rping' rping 'our client, C server' "$device" "$pings pings of $size bytes$remark" \
      meet_c_server "$from" "$port" "$size" "$pings" &
    clients="$clients $!"
    [ "$order" = all ] || wait "$!"
    port=$((port + 1))
  done
  # shellcheck disable=SC2086 # a list of processes
  wait $clients
}

# Loses $1 of what goes to each host; nothing with 0.
set_loss() {
  for port in port0 port1 port2; do
    ip netns exec switch tc qdisc del dev "$port" root 2>/dev/null
    [ "$1" = 0 ] || ip netns exec switch tc qdisc add dev "$port" root netem loss "$1"
  done
}
