# shellcheck shell=sh # for steps: . "$LAB_FOLDER/guest/step.sh"
# What was tried with which result, one line each in results.tsv, from which docs/interop.md is made:
#
#   step  peer  program  direction  device  kernel  what  result  seconds

attempts=0 failures=0

# Writes a line: peer, program, direction, device, what (size, loss, ...), result, seconds.
record() {
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$STEP" "$1" "$2" "$3" "$4" "$LAB_KERNEL" "$5" "$6" "$7" >>"$RESULTS/results.tsv"
}

# Runs a command and writes its line: peer, program, direction, device, what, then the command.
attempt() {
  peer=$1 program=$2 direction=$3 device=$4 what=$5
  shift 5
  since=$(date +%s)
  result=passed
  "$@" || result=failed
  attempts=$((attempts + 1))
  [ "$result" = passed ] || failures=$((failures + 1))
  record "$peer" "$program" "$direction" "$device" "$what" "$result" $(($(date +%s) - since))
  echo "$result: $program with $peer, $direction, $device, $what"
}

# Ends the step as its attempts ended.
conclude() {
  echo "$((attempts - failures)) of $attempts passed"
  [ "$failures" = 0 ] && [ "$attempts" -gt 0 ]
  exit
}
