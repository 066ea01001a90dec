# shellcheck shell=sh # for steps: . "$LAB_FOLDER/guest/step.sh"
# Results, one line each in results.tsv, from which docs/interop.md is made:
#
#   step  peer  program  direction  device  kernel  what  result  seconds

# Ends a step of a whole run here, unless the kernel is $1: one is enough.
only_on() {
  if [ "$LAB_KERNEL" != "$1" ] && [ "$LAB_STEPS" = all ]; then
    echo "one kernel is enough; on Linux $LAB_KERNEL only when it is named: ./verbena lab --kernel $LAB_KERNEL test $STEP"
    exit 77
  fi
}

# Waits until a command succeeds: what that means, then the command.
await() {
  awaited=$1
  shift
  for _ in $(seq 480); do
    ! "$@" || return 0
    sleep 0.25
  done
  echo "not within 120 s: $awaited"
  return 1
}

# Writes a line: peer, program, direction, device, what (size, loss, ...), result, seconds.
record() {
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$STEP" "$1" "$2" "$3" "$4" "$LAB_KERNEL" "$5" "$6" "$7" >>"$RESULTS/results.tsv"
}

# Runs a command and writes its line: peer, program, direction, device, what, then the command. May run in the background.
attempt() {
  peer=$1 program=$2 direction=$3 device=$4 what=$5
  shift 5
  since=$(date +%s)
  result=passed
  "$@" || result=failed
  seconds=$(($(date +%s) - since))
  record "$peer" "$program" "$direction" "$device" "$what" "$result" "$seconds"
  echo "$result: $program with $peer, $direction, $device, $what ($seconds s)"
}

# Ends the step: it passed when $1 attempts were made and all of them passed.
conclude() {
  made=$(awk -F '\t' -v step="$STEP" '$1 == step' "$RESULTS/results.tsv" | wc -l)
  passed=$(awk -F '\t' -v step="$STEP" '$1 == step && $8 == "passed"' "$RESULTS/results.tsv" | wc -l)
  echo "$passed of $1 passed"
  [ "$made" = "$1" ] && [ "$passed" = "$1" ]
  exit
}
