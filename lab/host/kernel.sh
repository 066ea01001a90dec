# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared with lab.sh
# Debian kernels, downloaded and unpacked into the cache; nothing of them is installed on the host.

release='bookworm'

# Runs an apt command with package lists of the lab's own: $1 command, rest arguments.
private_apt() {
  command=$1
  shift
  timeout 600 "$command" -o "Dir::Etc::sourcelist=$cache/apt/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::Cache=$cache/apt/cache" \
    -o "Dir::State::lists=$cache/apt/lists" -o APT::Sandbox::User=root -q "$@"
}

update_lists() {
  mkdir -p "$cache/apt/lists/partial" "$cache/apt/cache/archives/partial"
  signed='deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
  mirror=${VERBENA_LAB_MIRROR:-http://deb.debian.org}
  cat >"$cache/apt/sources.list" <<END
$signed $mirror/debian $release main
$signed $mirror/debian $release-backports main
$signed $mirror/debian-security $release-security main
END
  private_apt apt-get update >"$cache/apt.log" 2>&1
}

# Sets $boot to the folder with kernel and RAM disk of series $1, e.g. 6.1, and makes it when it is not there.
prepare_kernel() {
  boot=$cache/kernel-$1
  if [ -f "$boot/complete" ] && [ "$(cat "$boot/complete")" = "$(recipe)" ]; then return; fi
  if [ ! -d "$boot/package" ]; then fetch_kernel "$1"; fi
  make_ramdisk
  recipe >"$boot/complete"
}

fetch_kernel() {
  say "fetching kernel $1 from Debian"
  rm -rf "$boot" "$cache/new"
  mkdir -p "$cache/new"
  pattern=$(printf '%s' "$1" | sed 's/\./\\./g')
  update_lists || unable "Debian's package lists cannot be read (see $cache/apt.log)"
  package=$(private_apt apt-cache search --names-only "^linux-image-${pattern}[.][0-9.+deb-]*-amd64\$" |
    awk '{ print $1 }' | sort -V | tail -n 1)
  [ -n "$package" ] || unable "Debian $release has no kernel $1"
  (cd "$cache/new" && private_apt apt-get download "$package" >>"$cache/apt.log" 2>&1) ||
    unable "$package could not be downloaded (see $cache/apt.log)"
  dpkg -x "$cache/new/$package"_*.deb "$cache/new/package" || unable "$package could not be unpacked"
  rm -f "$cache/new"/*.deb
  mv "$cache/new" "$boot"
}

# ---- the RAM disk: busybox, our init, and the modules in the order in which they are loaded ----

# The inputs of the RAM disk, in one line.
recipe() { cat "$lab/host/modules.txt" "$lab/guest/init" "$lab/host/kernel.sh" | cksum; }

make_ramdisk() {
  version=$(ls "$boot/package/lib/modules")
  say "making the RAM disk for $version"
  ln -sf "$boot/package/boot/vmlinuz-$version" "$boot/vmlinuz"
  depmod -b "$boot/package" "$version"
  disk=$boot/disk
  rm -rf "$disk"
  mkdir -p "$disk/bin" "$disk/modules"
  cp "$(command -v busybox)" "$disk/bin/busybox"
  cp "$lab/guest/init" "$disk/init"
  chmod +x "$disk/init"
  while read -r module; do
    modprobe -C /dev/null -d "$boot/package" -S "$version" --show-depends "$module" ||
      unable "the kernel $version has no module $module"
  done <"$lab/host/modules.txt" >"$boot/depends" # no pipe: a failure of its first command would not end this script
  # A line is "insmod FILE" or, for a module that is built in, "builtin NAME". The module options of the host are ignored.
  awk '$1 == "insmod" && !seen[$0]++ { print substr($0, 8) }' "$boot/depends" | sed 's/ *$//' >"$boot/order"
  while read -r file; do
    name=${file##*/}
    case $name in
      *.xz)
        name=${name%.xz}
        xz -dc "$file" >"$disk/modules/$name"
        ;;
      *) cp "$file" "$disk/modules/$name" ;;
    esac
    echo "$name"
  done <"$boot/order" >"$disk/modules/order"
  (cd "$disk" && find . | cpio -o -H newc 2>/dev/null | gzip -1) >"$boot/ramdisk.new"
  mv "$boot/ramdisk.new" "$boot/ramdisk" # another guest may be booting from the previous one
  rm -rf "$disk"
}
