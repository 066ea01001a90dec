#!/bin/sh
# A Linux guest with kernel soft-RoCE (rxe) on this machine, for tests against a real RDMA stack. Called by ./verbena.
set -eu

say() { printf '%s\n' "lab: $*" >&2; }

die() {
  say "$*"
  exit 1
}

# For wrong usage.
misuse() {
  say "$*"
  exit 2
}

# The lab cannot run here; callers count exit code 77 as skipped.
unable() {
  say "cannot run here: $*"
  exit 77
}

usage() {
  cat <<END
Boots Linux with soft-RoCE devices of the kernel (rxe) in a virtual machine and runs a command in it. The guest sees
this machine's files, can write only to its own memory, and has no network but its own.

  ./verbena lab [options]              boot, and show the devices of the guest
  ./verbena lab [options] run CMD...   run a line of shell in the guest; its exit code is yours
  ./verbena lab [options] shell        a prompt in the guest (Ctrl-D ends it, Ctrl-A X turns it off)
  ./verbena lab [options] test [STEP]  every test of Verbena against the kernel, or only some steps (lab/guest/steps)
  ./verbena lab docs                   write docs/conformance.md and docs/interop.md from the results of the tests
  ./verbena lab clean                  remove downloaded kernels

  --kernel 6.1|6.12    the kernel (VERBENA_LAB_KERNEL); default 6.1. ATOMIC_WRITE and FLUSH need 6.12. For test
                       also: all, one after the other, and none, to leave them out of ./verbena test
  --timeout SECONDS    stop the guest after that time; default 600, for test what its steps may take together, for
                       shell none
  --memory MB          of the guest; default 3072
  --instructions       one processor, whose clock counts its instructions (1 ns each) and not time: what is measured
                       in the guest then does not depend on what else this machine does. Slow
  --results FOLDER     keep what the command leaves in the guest's folder /run/lab/results; for test always in
                       .verbena/lab/results-KERNEL

In the guest: rxe0 (10.77.0.1) and rxe1 (10.77.0.2) are kernel devices; the network namespace "soft" (10.77.0.3) is a
host of its own for the software device. All three are joined by a switch: ports port0, port1, port2 of the bridge
"switch" in the namespace "switch", where packets can be captured and lost.

  ./verbena lab run rdma link
  ./verbena lab run ./verbena devices
  ./verbena lab run 'ip netns exec soft ./verbena rping -s -a 10.77.0.3 -C 10 & sleep 8; rping -c -a 10.77.0.3 -C 10 -v'
  ./verbena lab --kernel 6.12 shell

Needs root on Debian or a relative, x86-64. Missing packages are installed. Kernels are kept in $cache.
END
}

lab=$(CDPATH='' cd "${0%/*}" && pwd -P)
root=${lab%/*}
directory=$(pwd -P)
cache=${VERBENA_LAB_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/verbena/lab}
kernel=${VERBENA_LAB_KERNEL:-6.1}
kernels='6.1 6.12'
limit='' memory=3072 instructions='' results='' work='' machine=''
# shellcheck source=lab/host/packages.sh
. "$lab/host/packages.sh"
# shellcheck source=lab/host/kernel.sh
. "$lab/host/kernel.sh"
# shellcheck source=lab/host/machine.sh
. "$lab/host/machine.sh"

# shellcheck disable=SC2317,SC2329 # called by a trap
clean_up() {
  set +e # after a failure the rest is still done
  if [ -n "$machine" ]; then # it must not write after its folder is removed
    kill "$machine" 2>/dev/null
    wait "$machine" 2>/dev/null
  fi
  if [ -n "$work" ]; then
    [ -z "$results" ] || keep_results || say "the results could not be kept in $results"
    rm -rf "$work"
  fi
}

# shellcheck disable=SC2317,SC2329 # called by a trap
keep_results() {
  mkdir -p "$results" && cp -R "$work/results/." "$results/" || return
  for log in console.log dmesg.log; do
    [ ! -f "$work/$log" ] || cp "$work/$log" "$results/$log" || return
  done
}

# The sum of the time limits of all steps, and some time for booting.
test_limit() { awk '/^# limit: *[0-9]+$/ { sum += $3 } END { print sum + 120 }' "$lab"/guest/steps/*; }

prepare() {
  reason=$(why_not)
  [ -z "$reason" ] || unable "$reason"
  mkdir -p "$cache"
  # One preparation at a time.
  (
    exec 8>"$cache/lock"
    if ! flock -n 8; then
      say 'waiting for another lab to be prepared ...'
      flock 8
    fi
    install_packages
    prepare_kernel "$kernel"
  )
  boot=$cache/kernel-$kernel
  work=$(mktemp -d)
  mkdir -p "$work/results"
}

# Options before the command.
while [ $# -gt 0 ]; do
  case $1 in
    --kernel | --timeout | --memory | --results)
      [ $# -gt 1 ] || misuse "$1 needs a value"
      case $1 in
        --kernel) kernel=$2 ;;
        --timeout) limit=$2 ;;
        --memory) memory=$2 ;;
        --results) results=$2 ;;
      esac
      shift 2
      ;;
    --instructions)
      instructions=--instructions
      shift
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    -*) misuse "unknown option $1; ./verbena lab --help shows all" ;;
    *) break ;;
  esac
done
case ${1:-}:$kernel in
  test:all)
    shift
    all_code=0 # 77 only when nothing failed
    for each in $kernels; do
      code=0
      # shellcheck disable=SC2086 # options or nothing
      "$lab/lab.sh" --kernel "$each" --memory "$memory" ${limit:+--timeout $limit} $instructions test "$@" || code=$?
      case $code:$all_code in 0:* | 77:[1-9]*) ;; *) all_code=$code ;; esac
    done
    exit "$all_code"
    ;;
esac
case ${1:-}:$kernel in
  docs:* | clean:* | check:*) ;;
  *:6.1 | *:6.12) ;;
  test:none) unable 'kernel none was asked for' ;;
  *) misuse "kernel $kernel is not one of $kernels; test takes all, too" ;;
esac
case $limit$memory in *[!0-9]*) misuse '--timeout and --memory take whole numbers' ;; esac
case $results in '' | /*) ;; *) results=$directory/$results ;; esac

trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
terminal=0
action=${1:-show}
[ $# = 0 ] || shift
case $action in
  show)
    prepare
    echo "uname -r; rdma link; ibv_devinfo; '$root/verbena' devices" >"$work/command"
    ;;
  run)
    [ $# -gt 0 ] || misuse 'name a command, for example: ./verbena lab run rdma link'
    prepare
    printf '%s\n' "$*" >"$work/command"
    ;;
  shell)
    [ -t 0 ] || misuse 'a shell needs a terminal; use run'
    prepare
    terminal=1
    echo 'exec bash -i' >"$work/command"
    ;;
  test)
    prepare
    results=$root/.verbena/lab/results-$kernel
    rm -rf "$results"
    limit=${limit:-$(test_limit)}
    printf '%s\n' "exec sh '$lab/guest/test' $*" >"$work/command"
    ;;
  docs)
    [ -f "$root/conformance/target/conformance.tsv" ] || die 'run ./verbena test first: the results of the contracts are not there'
    ls "$root"/.verbena/lab/results-*/results.tsv >/dev/null 2>&1 || die 'run ./verbena lab --kernel all test first: its results are not there'
    [ -d "$root/lab/target/lib" ] || die 'run ./verbena lab test first: its Java is not built'
    find "$root/.verbena/lab" -name 'conformance-*.tsv' -exec "$VERBENA_JDK/bin/java" -cp "$root/lab/target/lib/*" \
      io.verbena.conformance.ConformanceReport "$root/docs/conformance.md" "$root/conformance/target/conformance.tsv" {} +
    awk -f "$lab/host/interop.awk" "$root"/.verbena/lab/results-*/results.tsv >"$root/docs/interop.md"
    exit 0
    ;;
  check) # for the launcher: whether the lab can run here
    reason=$(why_not)
    [ -z "$reason" ] || unable "$reason"
    exit 0
    ;;
  clean)
    rm -rf "$cache"
    exit 0
    ;;
  *) misuse "unknown command $action; ./verbena lab --help shows all" ;;
esac
limit=${limit:-600}
run_machine "$terminal"
exit "$exit_code"
