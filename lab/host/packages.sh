# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared with lab.sh
# The packages that the lab needs on the host.

# command:package
lab_tools='qemu-system-x86_64:qemu-system-x86 busybox:busybox-static cpio:cpio modprobe:kmod ip:iproute2 rdma:iproute2
  tc:iproute2 ibv_devinfo:ibverbs-utils rping:rdmacm-utils ib_send_lat:perftest tcpdump:tcpdump tshark:tshark xz:xz-utils
  apt-get:apt dpkg:dpkg sysctl:procps timeout:coreutils cc:gcc nc.traditional:netcat-traditional'
# file:package, for packages without a command. The RAM disk has no libraries, so its busybox must be the static one.
lab_files='/usr/share/keyrings/debian-archive-keyring.gpg:debian-archive-keyring /etc/libibverbs.d/rxe.driver:ibverbs-providers
  /var/lib/dpkg/info/busybox-static.list:busybox-static /usr/include/stdio.h:libc6-dev /usr/include/rdma/rdma_cma.h:librdmacm-dev
  /usr/include/infiniband/verbs.h:libibverbs-dev'

# Prints the packages that are missing.
missing_packages() {
  # shellcheck disable=SC2086 # two lists of words
  {
    for tool in $lab_tools; do
      command -v "${tool%%:*}" >/dev/null 2>&1 || echo "${tool#*:}"
    done
    for file in $lab_files; do
      [ -e "${file%%:*}" ] || echo "${file#*:}"
    done
  } | sort -u
}

# Prints why the lab cannot run on this machine; nothing when it can.
why_not() {
  if [ "$(uname -s)" != Linux ]; then
    echo "it needs Linux, this is $(uname -s)"
  elif [ "$(uname -m)" != x86_64 ]; then
    echo "it boots an x86-64 guest and shows it this machine's programs, which are for $(uname -m)"
  elif [ "$(id -u)" != 0 ]; then
    echo 'it needs root, to read all files it shows to the guest: sudo ./verbena lab'
  elif ! command -v apt-get >/dev/null; then
    echo "it takes kernel and tools from Debian's packages and needs apt-get"
  else
    # The guest sees this machine's files, but has folders of its own where programs write.
    case $root/ in
      /tmp/* | /run/* | /dev/* | /proc/* | /sys/*)
        echo "$root is in a folder that the guest has of its own; use a clone elsewhere, in your home for example" ;;
    esac
  fi
}

install_packages() {
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  # shellcheck disable=SC2086 # a list of words
  set -- $missing
  say "installing: $*"
  export DEBIAN_FRONTEND=noninteractive
  # Another apt-get may hold the lock.
  if ! { timeout 300 apt-get -q update &&
    timeout 900 apt-get -q -o DPkg::Lock::Timeout=120 install -y --no-install-recommends "$@"; } \
    </dev/null >"$cache/packages.log" 2>&1; then
    tail -n 5 "$cache/packages.log" >&2
    unable "these packages could not be installed: $* (see $cache/packages.log); apt-get install $*"
  fi
}
