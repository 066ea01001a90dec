# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared with lab.sh
# The virtual machine.

most_boots=3

# Runs the words as the machine. Sets $machine_code.
boot_machine() {
  machine_code=0
  if [ "$terminal" = 1 ]; then
    "$@" || machine_code=$?
  else
    # In the background, so that a signal ends both at once; timeout is its own limit.
    timeout -k 5 "$limit" "$@" </dev/null &
    machine=$!
    wait "$machine" || machine_code=$?
    machine=''
  fi
}

# Boots $boot and runs the script $work/command in it; $1: 1 for a terminal. Sets $exit_code.
run_machine() {
  terminal=$1
  cp "$lab/guest/start" "$work/start"
  {
    echo "LAB_FOLDER='$lab' LAB_DIRECTORY='$directory' LAB_TERMINAL='$terminal' LAB_KERNEL='$kernel'"
    echo "export JAVA_HOME='$VERBENA_JDK' LAB_KERNEL"
  } >"$work/environment"
  line='stdio,id=line,signal=off'
  [ "$terminal" != 1 ] || line='stdio,id=line,mux=on,signal=off'
  processors='tcg,thread=multi,tb-size=1024 -smp 2'
  [ -z "$instructions" ] || processors='tcg,thread=single,tb-size=1024 -smp 1 -icount shift=0,sleep=off'
  # TCG, not KVM: where the host is itself a guest, KVM may hang. A larger translation cache suits the JVM's compilers.
  # A kernel that patches its own running code can lose a race under TCG, and the guest dies. So what makes it patch is
  # off: the watchdog of the clock, on a busy host, and the change to ticks on demand, at each boot.
  # shellcheck disable=SC2086 # options are split into words
  set -- qemu-system-x86_64 -accel $processors -cpu max -m "$memory" -no-reboot \
    -display none -nic none \
    -kernel "$boot/vmlinuz" -initrd "$boot/ramdisk" \
    -append 'console=ttyS0 quiet panic=-1 mitigations=off random.trust_cpu=on tsc=nowatchdog nohz=off' \
    -virtfs local,path=/,mount_tag=hostroot,security_model=none,readonly=on,multidevs=remap \
    -virtfs "local,path=$work,mount_tag=lab,security_model=none" \
    -serial "file:$work/console.log" -chardev "$line" -serial chardev:line
  [ ! -t 2 ] || say "booting Linux $kernel ..."
  boots=0
  while :; do
    boots=$((boots + 1))
    boot_machine "$@"
    # A kernel that died before the command began is booted again.
    if [ -f "$work/started" ] || [ -f "$work/exit" ] || [ "$machine_code" != 0 ] || [ "$terminal" = 1 ] ||
      [ "$boots" = "$most_boots" ]; then
      break
    fi
    say "the guest ended while it booted, so it is booted again. Its last words:"
    tail -n 15 "$work/console.log" >&2 || true
  done
  if [ -f "$work/exit" ]; then
    exit_code=$(cat "$work/exit")
  elif [ "$machine_code" = 124 ] || [ "$machine_code" = 137 ]; then
    say "the guest was stopped after $limit s; --timeout gives it more"
    exit_code=124
  else
    say "the guest ended before the command did (QEMU: $machine_code). Its last words:"
    tail -n 15 "$work/console.log" >&2 || true
    exit_code=125
  fi
}
