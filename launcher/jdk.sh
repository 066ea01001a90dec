# Part of the launcher: finds a JDK and Maven.

need=25

# Sets $version and $major to those of the Java in folder $1; $major is 0 when there is none.
read_version() {
  version='' major=0
  [ -x "$1/bin/java" ] || return 0
  if [ -r "$1/release" ]; then
    while IFS='=' read -r key value || [ -n "$key" ]; do
      if [ "$key" = JAVA_VERSION ]; then
        version=${value#\"} version=${version%\"}
        break
      fi
    done <"$1/release"
  fi
  if [ -z "$version" ]; then
    version=$("$1/bin/java" -version 2>&1 </dev/null | sed -n 's/.* version "\([^"]*\)".*/\1/p') || version=''
  fi
  major=${version%%[!0-9]*}
  major=${major:-0}
}

# Sets $jdk when folder $1 holds a JDK that is new enough.
try_jdk() {
  read_version "$1"
  [ "$major" -ge "$need" ] || return 1
  if [ ! -x "$1/bin/javac" ]; then
    runtime_only=$1
    return 1
  fi
  jdk=$1
}

find_jdk() {
  runtime_only=''
  if [ -n "${JAVA_HOME:-}" ] && try_jdk "$JAVA_HOME"; then return; fi
  on_path=$(command -v java) || on_path=''
  if [ -n "$on_path" ]; then
    follow_links "$on_path"
    home=${resolved%/*} home=${home%/*}
    if [ ! -r "$home/release" ]; then # a wrapper: run it to find its Java
      home=$(java -XshowSettings:properties -version 2>&1 </dev/null | sed -n 's/^ *java\.home = //p') || home=''
    fi
    if [ -n "$home" ] && try_jdk "$home"; then return; fi
  fi
  for home in /usr/lib/jvm/* /usr/lib64/jvm/* /opt/* /opt/java/* /usr/java/* /usr/local/lib/jvm/* \
    "${HOME:-/}"/.sdkman/candidates/java/* "${HOME:-/}"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME:-/}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    if try_jdk "$home"; then return; fi
  done
  if [ -x /usr/libexec/java_home ]; then
    home=$(/usr/libexec/java_home -v "$need+" 2>/dev/null) || home=''
    if [ -n "$home" ] && try_jdk "$home"; then return; fi
  fi
  if [ -n "$runtime_only" ]; then
    say "verbena: $runtime_only is new enough, but has no compiler (javac): Verbena needs the JDK."
  else
    say "verbena: no JDK $need or newer found in JAVA_HOME, on the PATH or in the usual folders."
  fi
  say "Install one of these, or set JAVA_HOME:
  Debian, Ubuntu   apt install openjdk-$need-jdk     (or temurin-$need-jdk from Adoptium)
  Fedora, RHEL     dnf install java-$need-openjdk-devel
  macOS            brew install openjdk@$need        (or: brew install --cask temurin@$need)
  SDKMAN           sdk install java $need-tem"
  exit 1
}

find_maven() {
  if mvn=$(command -v mvn); then return; fi
  for mvn in "${MAVEN_HOME:-/none}"/bin/mvn "${M2_HOME:-/none}"/bin/mvn /usr/share/maven/bin/mvn /opt/*maven*/bin/mvn \
    "${HOME:-/}"/.sdkman/candidates/maven/current/bin/mvn /opt/homebrew/bin/mvn /usr/local/bin/mvn; do
    if [ -x "$mvn" ]; then return; fi
  done
  die "Maven (mvn) was not found; it is needed to build. Install it:
  Debian, Ubuntu   apt install maven
  Fedora, RHEL     dnf install maven
  macOS            brew install maven
  SDKMAN           sdk install maven"
}
