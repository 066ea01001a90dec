#!/bin/sh
# Runs suites of Spark's own tests with the shuffle by RDMA, after ./verbena build -Dspark. Arguments: names of suites; without
# them, the tests of shuffles. Suites that take system properties get the shuffle by these.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=$here/../target
work=$target/suite
jdk=$("$here/../../verbena" java-home)
mkdir -p "$work/classes" "$work/tmp" "$target/home/jars"

[ -s "$work/path" ] || JAVA_HOME=$jdk mvn -q -f "$here/pom.xml" dependency:build-classpath -Dmdep.outputFile="$work/path"
path=$target/verbena-spark.jar:$(cat "$work/path")
"$jdk/bin/javac" -cp "$path" -d "$work/classes" "$here/RdmaShuffleSuite.java"
path=$work/classes:$path

suites=''
for suite in "${@:-io.verbena.spark.suite.RdmaShuffleSuite}"; do suites="$suites -s $suite"; done
opens=''
for package in lang lang.invoke lang.reflect io net nio util util.concurrent util.concurrent.atomic; do
  opens="$opens --add-opens=java.base/java.$package=ALL-UNNAMED"
done
for package in sun.nio.ch sun.nio.cs sun.util.calendar jdk.internal.ref; do
  opens="$opens --add-opens=java.base/$package=ALL-UNNAMED"
done

export JAVA_HOME="$jdk" SPARK_HOME="$target/home" SPARK_SCALA_VERSION=2.13 SPARK_TESTING=1
export SPARK_LOCAL_IP=127.0.0.1 SPARK_LOCAL_HOSTNAME=127.0.0.1 SPARK_DIST_CLASSPATH="$path"
# shellcheck disable=SC2086 # options are split into words
exec "$jdk/bin/java" -Xmx1500m $opens --enable-native-access=ALL-UNNAMED -Djava.io.tmpdir="$work/tmp" \
  -Dspark.test.home="$SPARK_HOME" -Dspark.testing=1 -Dspark.ui.enabled=false \
  -Dspark.driver.host=127.0.0.1 -Dspark.driver.bindAddress=127.0.0.1 -Dspark.shuffle.readHostLocalDisk=false \
  -Dspark.shuffle.manager=io.verbena.spark.RdmaShuffleManager -Dspark.plugins=io.verbena.spark.RdmaShufflePlugin \
  -cp "$path" org.scalatest.tools.Runner -R "$work/classes" -oD $suites
